"use strict";

/** Steps of the timelines, each with its colour: the classes s0 to s11. */
const STEPS = ["release resolved", "Machines created", "boot media made", "bootstrap data written", "host booted and registered",
  "host approved", "host installed", "infrastructure ready", "node ready", "kubeconfig published", "API server answered", "available"];

/** An element with a class and children; texts never become markup. */
function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

const opened = new Set();

/** A part that stays open when the page is drawn again. */
function fold(key, title, content) {
  const details = make("details", "", make("summary", "", title), content);
  details.open = opened.has(key);
  details.addEventListener("toggle", () => details.open ? opened.add(key) : opened.delete(key));
  return details;
}

function progress(percent, label) {
  if (percent < 0) return null;
  const bar = make("progress");
  bar.max = 100;
  bar.value = percent;
  bar.setAttribute("aria-label", label);
  return bar;
}

function seconds(ms) {
  const s = Math.round(ms / 1000);
  return s < 120 ? s + " s" : s < 7200 ? Math.round(s / 60) + " min" : (s / 3600).toFixed(1) + " h";
}

/** A bar for each object: from one milestone to the next, on a common scale of time. */
function timeline(tracks) {
  const labels = [];
  const times = tracks.flatMap(track => track.milestones.map(m => Date.parse(m.time))).filter(t => !Number.isNaN(t));
  const first = Math.min(...times);
  const whole = Math.max(1000, Math.max(...times) - first);
  const grid = make("div", "tracks");
  for (const track of tracks) {
    const bar = make("div", "bar");
    bar.setAttribute("role", "img");
    const words = [];
    let last = first;
    track.milestones.forEach((milestone, i) => {
      const time = Date.parse(milestone.time);
      if (i > 0 && !labels.includes(milestone.label)) labels.push(milestone.label);
      const part = make("span", i === 0 ? "gap" : "s" + STEPS.indexOf(milestone.label));
      part.style.flexGrow = String((time - last) / whole);
      part.title = milestone.label + ": after " + seconds(time - last);
      if (i === 0 || time > last) bar.append(part);
      if (i > 0) words.push(part.title);
      last = time;
    });
    const rest = make("span", "gap");
    rest.style.flexGrow = String(Math.max(0, (first + whole - last) / whole));
    bar.append(rest);
    bar.setAttribute("aria-label", track.name + ": " + (words.join(", ") || "created"));
    grid.append(make("div", "track-name", track.name), bar);
  }
  const legend = make("ul", "legend");
  STEPS.forEach((step, i) => { if (labels.includes(step)) legend.append(make("li", "", make("i", "s" + i), step)); });
  return make("div", "", grid, legend, make("p", "soft small", "The whole width is " + seconds(whole) + ". A colour ends when its step is done."));
}

function tree(objects) {
  const list = make("ul", "tree");
  for (const object of objects) {
    const chips = make("div", "chips");
    const problems = [];
    for (const condition of object.conditions) {
      const chip = make("span", "chip " + condition.tone, condition.type + (condition.tone === "bad" ? ": " + condition.reason : ""));
      chip.title = condition.status + " since " + condition.since + ", " + condition.reason + (condition.message ? ": " + condition.message : "");
      chips.append(chip);
      if (condition.tone === "bad" && condition.message && condition.type !== "Ready") problems.push(condition.message);
    }
    list.append(make("li", "l" + object.level, make("strong", "", object.kind), " " + object.name, chips,
      ...[...new Set(problems)].map(problem => make("p", "problem", problem))));
  }
  return list;
}

function cluster(card) {
  const key = card.namespace + "/" + card.name;
  const failed = card.failure.length > 0;
  const article = make("article", "card",
    make("div", "head", make("h3", "", key),
      make("span", "badge " + (card.ready ? "good" : failed ? "bad" : "busy"), card.state),
      card.ready ? null : progress(card.percent, "installation of " + key),
      make("span", "soft small", "control plane " + card.controlPlane + ", workers " + card.workers)));
  article.setAttribute("aria-label", "cluster " + key);
  if (failed) article.append(make("div", "failure", ...card.failure.map(line => make("p", "", line))));
  if (card.waitingFor.length > 0) {
    article.append(fold("waiting " + key, "waits for " + card.waitingFor.length + " conditions",
      make("ul", "waiting", ...card.waitingFor.map(line => make("li", "", line)))));
  }
  if (card.timeline.length > 0) article.append(timeline(card.timeline));
  article.append(fold("objects " + key, card.objects.length + " objects and their conditions", tree(card.objects)));
  return article;
}

function host(card) {
  const tone = card.problem ? "bad" : card.stage === "Running" ? "good" : card.machine ? "busy" : "";
  return make("div", "host " + tone,
    make("strong", "", card.name), make("div", "small", card.state + (card.on ? ", on" : ", off")),
    card.machine ? make("div", "small soft", card.machine) : null,
    card.stage ? make("div", "small", card.stage) : null,
    card.machine && card.stage !== "Running" ? progress(card.percent, "installation of " + card.name) : null,
    card.problem ? make("p", "problem", card.problem) : null);
}

function rack(card) {
  const taken = card.hosts.filter(one => one.machine).length;
  return make("div", "card", make("div", "head", make("h3", "", card.namespace),
    make("span", "soft small", taken + " of " + card.hosts.length + " hosts in use")),
    make("div", "hosts", ...card.hosts.map(host)));
}

function eventLine(line) {
  return make("li", "", make("span", "soft small", line.time.replace("T", " ").replace(/[.].*|Z$/, "") + "  "),
    make("strong", line.type === "Warning" ? "warning" : "", line.reason), " " + line.object + ": " + line.message);
}

function draw(state) {
  const ready = state.clusters.filter(one => one.ready).length;
  const hosts = state.racks.flatMap(one => one.hosts);
  document.getElementById("summary").textContent = ready + " of " + state.clusters.length + " clusters ready, "
    + hosts.filter(one => one.machine).length + " of " + hosts.length + " hosts in use";
  const put = (id, elements, empty) => document.getElementById(id)
    .replaceChildren(...(elements.length ? elements : [make("p", "empty", empty)]));
  put("clusters", state.clusters.map(cluster), "No Cluster yet: apply one.");
  put("racks", state.racks.map(rack), "No BareMetalHosts.");
  put("events", state.events.length ? [make("div", "card", make("ul", "events", ...state.events.map(eventLine)))] : [], "No Events.");
}

const source = new EventSource("events");
source.onmessage = message => draw(JSON.parse(message.data));
source.onerror = () => { document.getElementById("summary").textContent = "Not connected: is it still running?"; };
