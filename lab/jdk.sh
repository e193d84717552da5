#!/usr/bin/env bash
# Sourced by the commands of the lab: finds a JDK 25, builds what is missing or outdated.

is_jdk_25() {
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] && grep -q '^JAVA_VERSION="25[."]' "$1/release"
}

find_jdk() {
  local candidate on_path
  on_path=$(command -v javac || true)
  if [ -n "$on_path" ]; then
    on_path=$(dirname "$(dirname "$(readlink -f "$on_path" 2>/dev/null || echo "$on_path")")")
  fi
  for candidate in "${JAVA_HOME:-}" "${JAVA25_HOME:-}" "${JDK25_HOME:-}" "$on_path" \
    /usr/lib/jvm/* /opt/java/* /opt/jdk* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* "$HOME"/.local/share/mise/installs/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if [ -n "$candidate" ] && is_jdk_25 "$candidate"; then
      echo "$candidate"
      return 0
    fi
  done
  return 1
}

# The JDK's folder, or a message and exit code 1.
require_jdk() {
  if ! find_jdk; then
    echo "The lab needs a JDK 25, but found none. Install one, such as Temurin 25, and set JAVA25_HOME if it is in an" \
      "unusual place." >&2
    return 1
  fi
}

# shellcheck disable=SC2120 # lab/reload passes arguments
# build ARGUMENT…: runs Maven quietly; its output only if it fails.
build() {
  local log
  if ! command -v mvn >/dev/null; then
    echo "The lab has to be built first, but mvn is missing: install Maven 3.8.7 or later." >&2
    return 1
  fi
  log=$(mktemp)
  if ! (cd "${root:?}" && mvn -B -q -ntp -T 2 -Dfast "$@" package) >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "The build failed; see Maven's output above." >&2
    return 1
  fi
  rm -f "$log"
}

# Whether the jars are newer than their sources. A build does not write jars again whose own sources have not changed; of
# those the stamp says when they were checked.
is_built() {
  local jar since stamp=$root/lab/app/target/built
  for jar in bootstrap-provider/target/bootstrap-provider.jar controlplane-provider/target/controlplane-provider.jar \
    lab/app/target/lab.jar; do
    jar=$root/$jar
    [ -f "$jar" ] || return 1
    since=$jar
    if [ "$stamp" -nt "$jar" ]; then
      since=$stamp
    fi
    [ -z "$(find "$root"/pom.xml "$root"/*/pom.xml "$root"/lab/*/pom.xml "$root"/*/src/main "$root"/lab/*/src/main \
      -newer "$since" -type f -print -quit)" ] || return 1
  done
}

# Builds what is missing or outdated; the lab of a release has no sources, and is built.
require_build() {
  if [ -d "$root/lab/app/src" ] && ! is_built; then
    echo "Building (once, and after changes of the sources) …" >&2
    # shellcheck disable=SC2119 # no argument of a command
    build
    touch "$root/lab/app/target/built"
  fi
}

# java_lab JDK ARGUMENT…: becomes the lab's program.
java_lab() {
  local jdk=$1
  shift
  exec "$jdk/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto \
    -XX:+AutoCreateSharedArchive -XX:SharedArchiveFile="${root:?}/lab/app/target/lab.jsa" -Xlog:disable \
    --enable-native-access=ALL-UNNAMED -Dcapoa.root="$root" -jar "$root/lab/app/target/lab.jar" "$@"
}
