"use strict";

/** Steps of the timelines, each with its number and colour: the classes s0 to s11. */
const STEPS = ["release resolved", "Machines created", "boot media made", "bootstrap data written", "host booted and registered",
  "host approved", "host installed", "infrastructure ready", "node ready", "kubeconfig published", "API server answered", "available"];

/** Groups in their order, each with a sign, so that nothing depends on colours. */
const GROUPS = {
  TROUBLE: { title: "Trouble", sign: "✕", most: 12 },
  PROGRESS: { title: "In progress", sign: "▸", most: 12 },
  READY: { title: "Ready", sign: "✓", most: 30 },
};

/** Kinds that open. */
const KINDS = ["Cluster", "OpenshiftAssistedControlPlane", "MachineDeployment", "Machine", "OpenshiftAssistedConfig", "BareMetalHost", "Agent", "AgentClusterInstall"];

let state = null;
let detail = null;
let chosen = "";
const unfolded = new Set();

/** An element with attributes and children; texts never become markup. */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(typeof attributes === "string" ? { class: attributes } : attributes)) {
    if (value !== "" && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined && child !== "") element.append(child);
  return element;
}

/** Makes the children of an element like the wanted ones, and keeps those that are there: what is read, selected or open stays. */
function patch(parent, wanted) {
  const named = new Map();
  for (const child of parent.childNodes) if (child.dataset?.key) named.set(child.dataset.key, child);
  let at = parent.firstChild;
  for (const next of wanted) {
    const key = next.dataset?.key;
    const had = key ? named.get(key) : at && !at.dataset?.key ? at : undefined;
    if (had && had.nodeName === next.nodeName) {
      if (had === at) at = at.nextSibling;
      else parent.insertBefore(had, at);
      update(had, next);
    } else {
      parent.insertBefore(next, at);
    }
  }
  while (at) {
    const rest = at.nextSibling;
    at.remove();
    at = rest;
  }
}

function update(had, next) {
  if (had.nodeType !== Node.ELEMENT_NODE) {
    if (had.data !== next.data) had.data = next.data;
    return;
  }
  for (const { name } of [...had.attributes]) if (!next.hasAttribute(name) && name !== "open" && name !== "style") had.removeAttribute(name);
  for (const { name, value } of next.attributes) if (name !== "style" && had.getAttribute(name) !== value) had.setAttribute(name, value);
  // The security policy forbids the attribute, not the property.
  if (had.style.cssText !== next.style.cssText) had.style.cssText = next.style.cssText;
  patch(had, [...next.childNodes]);
}

const put = (id, ...elements) => patch(document.getElementById(id), elements.flat());
const hash = ref => "#" + (ref.kind === "Cluster" ? "" : ref.kind + "/") + encodeURIComponent(ref.namespace) + "/" + encodeURIComponent(ref.name);
const link = (ref, text) => make("a", { href: hash(ref) }, text ?? ref.kind + " " + ref.name);
const sign = group => make("span", { class: "sign " + group, role: "img", "aria-label": GROUPS[group].title }, GROUPS[group].sign);
const fold = (key, title, ...content) => make("details", { "data-key": key }, make("summary", "", title), ...content);

/** The object that the address names. */
function opened() {
  const parts = location.hash.slice(1).split("/").map(part => { try { return decodeURIComponent(part); } catch { return part; } });
  if (parts.length === 2) parts.unshift("Cluster");
  return parts.length === 3 ? { kind: parts[0], namespace: parts[1], name: parts[2] } : null;
}

function progress(percent, label) {
  return percent < 0 ? null : make("progress", { max: "100", value: String(percent), "aria-label": label });
}

/** Elements of a list up to a number, and a button for the rest. */
function limited(key, items, most, draw) {
  const all = unfolded.has(key) || items.length <= most + 1;
  const drawn = (all ? items : items.slice(0, most)).map(draw);
  return all ? drawn : [...drawn, make("li", { "data-key": "more" }, make("button", { type: "button", "data-more": key }, "Show " + (items.length - most) + " more"))];
}

const searched = text => text.toLowerCase().includes(document.getElementById("search").value.trim().toLowerCase());

/** Trouble, then what goes on, then the rest. */
function grouped(id, items, words, draw, empty) {
  const found = items.filter(item => (!chosen || item.group === chosen) && searched(words(item)));
  if (!found.length) return put(id, make("p", "soft", items.length ? "None is like that." : empty));
  put(id, ...Object.entries(GROUPS).flatMap(([group, { title, most }]) => {
    const members = found.filter(item => item.group === group);
    return members.length ? [make("h3", { "data-key": group + " title" }, sign(group), title + " (" + members.length + ")"),
      make("ul", { class: "list " + group, "data-key": group }, ...limited(id + group, members, most, draw))] : [];
  }));
}

function clusterLine(one) {
  const ref = { kind: "Cluster", namespace: one.namespace, name: one.name };
  const name = one.namespace + "/" + one.name;
  return make("li", { "data-key": name, "data-cluster": name }, make("div", "line", link(ref, name),
    one.group === "READY" ? null : make("span", "small", one.state), progress(one.percent, "installation of " + name),
    one.group === "PROGRESS" ? make("span", { class: "soft small cut", title: one.says.join("\n") }, one.says.join(" ")) : null,
    make("span", { class: "soft small count", title: "control plane and workers, ready of wanted" }, one.controlPlane + " + " + one.workers)),
    one.group === "TROUBLE" ? make("div", "says", ...one.says.map(line => make("p", "", line))) : null);
}

function hostLine(one) {
  const name = one.namespace + "/" + one.name;
  return make("li", { "data-key": name, "data-host": name }, make("div", "line", link({ kind: "BareMetalHost", namespace: one.namespace, name: one.name }, name),
    make("span", "soft small", one.group === "READY" ? one.machine ? "in use" : "free, " + one.state : one.stage || one.state + (one.on ? ", on" : ", off")),
    progress(one.group === "READY" ? -1 : one.percent, "installation of " + name)),
    one.problem ? make("div", "says", make("p", "", one.problem)) : null);
}

const clock = time => time.replace("T", " ").replace(/[.].*|Z$/, "");

function eventLine(event) {
  const [kind, namespace, name] = event.object.split("/");
  return make("li", "", make("span", "soft small", clock(event.time) + " "),
    make("strong", event.type === "Warning" ? "warning" : "", (event.type === "Warning" ? "! " : "") + event.reason), " ",
    KINDS.includes(kind) && name !== undefined ? link({ kind, namespace, name }, event.object) : event.object, ": " + event.message);
}

function duration(ms) {
  const s = Math.max(0, Math.round(ms / 1000));
  return s < 120 ? s + " s" : s < 7200 ? Math.round(s / 60) + " min" : s < 172800 ? (s / 3600).toFixed(1) + " h" : Math.round(s / 86400) + " days";
}

/** A bar for each object, on the scale of time of one operation; the step that runs grows up to now. */
function strip(operation, now) {
  const at = milestone => Date.parse(milestone.time);
  const runs = operation.tracks.some(track => track.running);
  const first = Math.min(...operation.tracks.map(track => at(track.milestones[0])));
  const last = Math.max(...operation.tracks.flatMap(track => track.milestones.map(at)), runs ? now : 0);
  const whole = Math.max(1000, last - first);
  const shown = new Set();
  const part = (className, from, to, title, text) => {
    const span = make("span", { class: className, title: title }, text);
    span.style.flexGrow = String((to - from) / whole);
    return span;
  };
  const step = (label, from, to, extra) => {
    const number = STEPS.indexOf(label);
    if (number >= 0) shown.add(number);
    const title = label + (extra ? ", " + extra + " " : ": after ") + duration(to - from);
    return part((number < 0 ? "s0" : "s" + number) + (extra ? " running" + (extra.startsWith("fail") ? " failed" : "") : ""), from, to, title,
      (to - from) / whole < .03 ? "" : extra.startsWith("fail") ? "✕" : String(number < 0 ? "…" : number + 1));
  };
  const rows = operation.tracks.flatMap(track => {
    let time = at(track.milestones[0]);
    const parts = [part("gap", first, time)];
    for (const milestone of track.milestones.slice(1)) {
      if (at(milestone) > time) parts.push(step(milestone.label, time, at(milestone), ""));
      time = Math.max(time, at(milestone));
    }
    if (track.running) parts.push(step(track.running, time, Math.max(now, time), track.failed ? "failing for" : "running for"));
    else parts.push(part("gap", time, first + whole));
    const words = parts.map(one => one.title).filter(one => one);
    return [make("div", { class: "track-name", "data-key": track.name + " name" }, track.name),
      make("div", { class: "bar", role: "img", "data-key": track.name, "aria-label": track.name + ": " + (words.join("; ") || "created") }, ...parts)];
  });
  return make("div", "operation", make("div", "tracks", ...rows,
    make("div", "soft small", ""), make("div", "axis soft small", make("span", "", clock(new Date(first).toISOString())),
      make("span", "", duration(whole)), make("span", runs ? "now" : "", runs ? "now" : clock(new Date(last).toISOString())))),
    make("ul", "legend", ...[...shown].sort((a, b) => a - b).map(number => make("li", "", make("i", "s" + number, String(number + 1)), STEPS[number]))));
}

function timeline(operations, now) {
  if (!operations.length) return null;
  const [latest, ...earlier] = operations;
  return make("section", { "data-key": "timeline" }, make("h3", "", "Timeline: " + latest.title), strip(latest, now),
    earlier.length ? fold("earlier", "Earlier: " + earlier.map(one => one.title).join(", "), ...earlier.flatMap(one => [make("h4", "", one.title), strip(one, now)])) : null);
}

/** A message without the lines that the table of findings has. */
const withoutFindings = message => message.split("\n").filter(line => !line.startsWith("* ") || !line.includes("; remedy: ")).join("\n");

/** What the plan of an installation found, the gravest first. */
function findings(all) {
  if (!all.length) return null;
  const cell = (title, ...content) => make("td", { "data-title": title }, ...content);
  const draw = one => {
    const ref = { kind: one.kind, namespace: one.namespace, name: one.name };
    return make("tr", one.severity, cell("Severity", one.severity.toLowerCase()), cell("Finding", one.check),
      cell("Object", KINDS.includes(one.kind) ? link(ref) : one.kind + " " + one.name, one.path ? make("div", "small soft", " " + one.path) : null),
      cell("What", one.what), cell("Remedy", one.remedy));
  };
  return part("findings", "Plan of the installation", make("table", "findings",
    make("thead", "", make("tr", "", ...["Severity", "Finding", "Object", "What", "Remedy"].map(title => make("th", { scope: "col" }, title)))),
    make("tbody", "", ...all.map(draw))));
}

const part = (key, title, ...content) => make("section", { "data-key": key }, make("h3", "", title), ...content);

function drawDetail() {
  const ref = opened();
  const aside = document.getElementById("detail");
  document.body.classList.toggle("open", ref !== null);
  if (aside.hidden !== (ref === null)) aside.hidden = ref === null;
  if (!ref) return;
  const head = (...more) => make("div", { class: "line", "data-key": "head" }, ...more, make("a", { href: "#", class: "close", "aria-label": "Close" }, "Close"));
  const name = ref.namespace + "/" + ref.name;
  if (!detail || detail.missing) {
    return put("detail", head(make("h2", "", ref.kind + " " + name)), make("p", { class: "soft", "data-key": "none" }, detail?.missing ?? "Loading …"));
  }
  put("detail", ...[
    head(sign(detail.group), make("h2", "", ref.kind + " " + name)),
    detail.waits.length ? part("waits", detail.group === "TROUBLE" ? "What is wrong" : "What waits for what",
      make("ol", "waits " + detail.group, ...detail.waits.map((wait, i) => make("li", { class: wait.group, "data-key": hash(wait.object) },
        make("div", "line", sign(wait.group), hash(wait.object) === hash(ref) ? wait.object.kind + " " + wait.object.name : link(wait.object), make("span", "small soft", wait.reason)),
        wait.message ? make("p", "message", detail.findings.length ? withoutFindings(wait.message) : wait.message) : null)))) : null,
    findings(detail.findings),
    timeline(detail.operations, Date.now()),
    detail.facts.length ? part("facts", "Host", make("dl", "", ...detail.facts.flatMap(fact => [
      make("dt", fact.group, fact.name), make("dd", fact.group, (fact.group === "TROUBLE" ? "✕ " : "") + fact.value)]))) : null,
    detail.conditions.length ? part("conditions", "Conditions", make("ul", "rows", ...detail.conditions.map(one => make("li", { "data-key": one.type },
      make("div", "line", sign(one.group), make("strong", "", one.type), make("span", "small", one.status + (one.reason && one.reason !== one.type ? ", " + one.reason : "")),
        one.since ? make("span", "small soft", "since " + clock(one.since)) : null),
      one.message && one.group !== "READY" ? make("p", "message", one.message) : null)))) : null,
    detail.objects.length > 1 ? part("objects", "Objects", make("ul", "rows", ...detail.objects.map(one => make("li", { class: "l" + Math.min(one.level, 3), "data-key": hash(one.object) },
      sign(one.group), link(one.object), one.says ? make("span", "small soft", " " + one.says) : null)))) : null,
    part("events", "Events", detail.events.length ? make("ul", "rows", ...detail.events.map(eventLine)) : make("p", "soft", "No Events.")),
    detail.logs.length || detail.logCommands.length ? part("logs", "Log of the managers",
      detail.logs.length ? make("ul", "rows", ...detail.logs.map(line => make("li", "", make("span", "soft small", clock(line.time) + " "),
        line.level === "info" ? null : make("strong", "warning", line.level + " "), line.message))) : null,
      detail.logCommands.length ? make("p", "soft", "The page may not read it. These commands show it:") : null,
      ...detail.logCommands.map(line => make("p", "", make("code", "", line)))) : null,
    fold("yaml", "YAML", make("pre", "", detail.yaml)),
  ].filter(one => one));
}

function drawLists() {
  const count = group => state.clusters.filter(one => one.group === group).length;
  put("summary", document.createTextNode(count("READY") + " of " + state.clusters.length + " clusters ready, "
    + state.hosts.filter(one => one.machine).length + " of " + state.hosts.length + " hosts in use"));
  put("stale", ...state.stale.map(line => make("p", "", "⚠ " + line)));
  put("groups", ...[["", { title: "All", sign: "" }], ...Object.entries(GROUPS)].map(([group, { title, sign }]) =>
    make("button", { type: "button", "data-group": group || "ALL", "aria-pressed": String(chosen === group) },
      sign + " " + title + " " + (group ? count(group) : state.clusters.length))));
  grouped("clusters", state.clusters, one => [one.namespace + "/" + one.name, one.state, ...one.says].join(" "), clusterLine, "No Cluster yet: apply one.");
  grouped("hosts", state.hosts, one => [one.namespace + "/" + one.name, one.machine, one.problem].join(" "), hostLine, "No BareMetalHosts.");
  const events = state.events.filter(event => searched([event.object, event.reason, event.message].join(" ")));
  put("events", events.length ? make("ul", { class: "rows", "data-key": "list" }, ...limited("events", events, 10, eventLine)) : make("p", "soft", "No Events."));
}

let asked = 0;

/** Reads what the opened object opens to; a later answer counts more than an earlier one. */
async function load() {
  const ref = opened();
  const mine = ++asked;
  if (!ref) return drawDetail();
  const answer = await fetch("object?" + [ref.kind, ref.namespace, ref.name].map(encodeURIComponent).join("/")).catch(() => null);
  const read = !answer ? null : answer.ok ? await answer.json() : { missing: await answer.text() };
  if (mine !== asked || !read) return;
  detail = read;
  drawDetail();
}

addEventListener("hashchange", () => {
  detail = null;
  drawDetail();
  document.getElementById("detail").scrollTop = 0;
  load();
});
document.getElementById("filter").addEventListener("submit", event => event.preventDefault());
document.getElementById("search").addEventListener("input", () => state && drawLists());
document.addEventListener("click", event => {
  const button = event.target.closest("button");
  if (button?.dataset.more) unfolded.add(button.dataset.more);
  else if (button?.dataset.group) chosen = button.dataset.group === "ALL" ? "" : button.dataset.group;
  else return;
  drawLists();
});
document.addEventListener("keydown", event => { if (event.key === "Escape" && opened()) location.hash = ""; });

const source = new EventSource("events");
source.onmessage = message => {
  state = JSON.parse(message.data);
  drawLists();
  performance.mark("drawn");
  load();
};
source.addEventListener("touched", load);
source.onerror = () => put("stale", make("p", "", "⚠ Not connected: what is shown is old. Does the page's program still run?"));
setInterval(() => { if (detail?.operations?.some(one => one.tracks.some(track => track.running))) drawDetail(); }, 1000);
