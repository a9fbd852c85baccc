// A whole game as a page, from its film (studio/frames.py) and, where it was reviewed, the layer of the review.

import { drawScene, h, hideTip, seatSign } from "./board.js";
import { BYSTANDER, EVERYTHING, reviewed } from "./review.js";

// ------------------------------------------------------------------ the film

export async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

/** The new value, from the old one and what has changed (frames.py has the forms of a difference). */
function patched(old, change) {
  if (change === null || change === undefined) return old;
  if ("=" in change) return change["="];
  if ("o" in change) {
    const made = { ...old };
    for (const key of change["-"] ?? []) delete made[key];
    for (const key in change.o) made[key] = patched(old[key], change.o[key]);
    return made;
  }
  if ("t" in change) {
    const before = new Map(old.map((item) => [item.key, item]));
    return (change.k ?? [...before.keys()]).map((key) => patched(before.get(key), change.t[key]));
  }
  const items = old.slice(0, change.n ?? old.length);
  for (const [place, inner] of change.l) items[place] = patched(items[place], inner);
  return items;
}

/** Every picture of every pair of eyes: those who see all from step to step, a seat from what these see. */
function develop(film) {
  let last;
  const all = film.reels[0].scenes.map((change) => (last = patched(last, change)));
  return film.reels.map((reel, place) => place ? reel.scenes.map((change, step) => patched(all[step], change)) : all);
}

// ------------------------------------------------------------------ the page

export function replay(film, root, { branch = null, keepsPlace = true } = {}) {
  const pictures = develop(film), last = pictures[0].length - 1, seats = pictures[0][0].seats;
  const points = stops(pictures[0]);
  const at = { step: 0, eyes: 0, timer: null, mode: "shown" };
  const find = (name) => root.querySelector(`[data-part="${name}"]`);

  const scrub = find("scrub"), speed = find("speed"), eyes = find("eyes"), chapter = find("chapter"), log = find("log");
  scrub.max = last;
  eyes.append(...film.eyes.map((seen, place) => h("option", { value: place },
    seen === EVERYTHING ? "everything" : seen === BYSTANDER ? "what lies open" : `as ${seats[seen].name}`)));
  chapter.append(...points.map(({ step, text }) => h("option", { value: step }, text)));
  const curves = drawCurves(find("curves"), pictures[0], points, (step) => go(step));
  const review = film.review ? reviewed(film.review, seats, points) : null;
  const chances = review?.curves(find("curves"), (step) => go(step));
  if (review) {
    find("judging").hidden = find("sums").hidden = root.querySelector('[data-act="worse"]').hidden = false;
    find("sums").append(...review.sums((step) => go(step)).flat(2).filter(Boolean));
  }
  root.querySelector('[data-act="branch"]').hidden = !branch;

  function go(step) {
    at.step = Math.min(last, Math.max(0, step));
    show();
  }

  function show() {
    const { step } = at, reel = film.reels[at.eyes], seen = film.eyes[at.eyes];
    const said = review?.at(step, seen, at.mode) ?? null, secret = Boolean(said) && !said.verdict;
    const scene = secret ? asking(pictures[at.eyes][step], said.options) : pictures[at.eyes][step];
    const given = { marked: said?.verdict ? said.marked : step ? reel.chosen[step - 1] : [], heat: said?.heat ?? {},
      onChoose: secret ? (action) => { review.take(step, action); show(); } : null };
    drawScene(find("main"), scene, { ...given, parts: ["board"] });
    drawScene(find("cards"), scene, { ...given, parts: ["zones"] });
    drawScene(find("side"), scene, { ...given, parts: ["head", "seats"] });
    drawScene(find("asked"), scene, { ...given, parts: ["decision", "beside"] });
    drawScene(find("more"), scene, { parts: ["tables"] });
    const next = find("next"), verdict = find("verdict");
    next.hidden = step === last || secret || Boolean(said?.verdict);
    next.textContent = next.hidden ? "" : `next: ${reel.log[step]}`;
    verdict.hidden = !said;
    verdict.replaceChildren(...(said?.verdict ? review.verdict(step).flat(2).filter(Boolean)
      : said ? [h("p", {}, "What would you do? Choose, and be told what the review says.")] : []));
    if (review) find("sums").hidden = at.mode !== "shown";
    scrub.value = step;
    scrub.setAttribute("aria-valuetext", `${step} of ${last}`);
    find("step").textContent = `${step} / ${last}`;
    chapter.value = points.filter((point) => point.step <= step).at(-1)?.step ?? 0;
    const hides = at.mode === "try"; // how the game went on would tell
    curves(step, hides);
    chances?.(step, seen, hides);
    showLog(reel.log, step, hides);
    if (keepsPlace) history.replaceState(null, "", `#${step}`);
  }

  function showLog(lines, step, hides) {
    if (log.lines !== lines) {
      log.replaceChildren(...lines.map((line, place) => h("li", { tabindex: -1, onclick: () => go(place + 1) }, line)));
      log.lines = lines;
    }
    for (const [place, line] of [...log.children].entries()) line.hidden = hides && place >= step;
    log.querySelector(".now")?.classList.remove("now");
    const now = log.children[step - 1];
    now?.classList.add("now");
    log.scrollTop = now ? now.offsetTop - log.offsetTop - log.clientHeight / 2 : 0;
  }

  const jump = (level, way) => {
    const steps = points.filter((point) => point.level <= level).map((point) => point.step);
    go(way > 0 ? steps.find((step) => step > at.step) ?? last : steps.findLast((step) => step < at.step) ?? 0);
  };

  function play(on = at.timer === null) {
    clearTimeout(at.timer);
    at.timer = null;
    const button = root.querySelector('[data-act="play"]');
    button.querySelector("path").setAttribute("d", on ? "M6 4h4v16h-4zM14 4h4v16h-4z" : "M7 3l13 9l-13 9z");
    button.setAttribute("aria-label", on ? "pause" : "play");
    if (!on) return;
    if (at.step === last) at.step = 0;
    const tick = () => {
      go(at.step + 1);
      if (at.step === last) play(false); else at.timer = setTimeout(tick, Number(speed.value));
    };
    at.timer = setTimeout(tick, 0);
  }

  const turn = (mode) => { if (!review) return; at.mode = find("mode").value = mode; play(false); show(); };
  const worse = (way) => { const step = review?.next(at.step, way, film.eyes[at.eyes]) ?? null; if (step !== null) { play(false); go(step); } };
  const look = (place) => { at.eyes = place; eyes.value = place; show(); };
  const acts = {
    first: () => go(0), last: () => go(last), back: () => go(at.step - 1), on: () => go(at.step + 1),
    earlier: () => jump(1, -1), later: () => jump(1, 1), play: () => play(),
    worse: () => worse(1), branch: () => branch?.(at.step),
    theme: () => {
      const dark = getComputedStyle(document.documentElement).colorScheme === "dark"
        || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
      document.documentElement.dataset.theme = dark ? "light" : "dark";
    },
  };
  const keys = { ArrowRight: acts.on, ArrowLeft: acts.back, ArrowDown: acts.later, ArrowUp: acts.earlier, " ": acts.play,
    PageDown: () => jump(0, 1), PageUp: () => jump(0, -1), Home: acts.first, End: acts.last,
    e: () => look((at.eyes + 1) % film.eyes.length), d: acts.theme,
    m: acts.worse, n: () => worse(-1), t: () => turn(at.mode === "try" ? "shown" : "try"), p: acts.branch };

  for (const button of root.querySelectorAll("[data-act]")) button.addEventListener("click", acts[button.dataset.act]);
  scrub.addEventListener("input", () => { play(false); go(Number(scrub.value)); });
  eyes.addEventListener("change", () => look(Number(eyes.value)));
  find("mode").addEventListener("change", (event) => turn(event.target.value));
  chapter.addEventListener("change", () => go(Number(chapter.value)));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("select, input:not([type=range])")) return;
    if (event.key === " " && event.target.matches("button")) return;
    const act = keys[event.key];
    if (act) { event.preventDefault(); hideTip(); act(); }
  });
  go(keepsPlace ? Number(location.hash.slice(1)) || 0 : last);
}

/** A picture in which something can be chosen. */
const asking = (scene, options) => ({ ...scene, decision: { ...scene.decision, options } });

/** Where chapters change: level 0 is the coarsest. */
function stops(scenes) {
  const found = [];
  let before = [];
  scenes.forEach(({ chapters = [] }, step) => {
    const level = chapters.findIndex((chapter, place) => chapter !== before[place]);
    if (level >= 0) found.push({ step, level, text: chapters.join(" · ") });
    before = chapters;
  });
  return found;
}

/** The scores of all seats over the game; a click goes there. Returns what moves the cursor. */
function drawCurves(host, scenes, points, go) {
  const width = 340, height = 110, last = Math.max(1, scenes.length - 1);
  const scores = scenes.map((scene) => scene.seats.map((seat) => seat.score ?? 0));
  const top = Math.max(1, ...scores.flat()), low = Math.min(0, ...scores.flat());
  const x = (step) => 30 + (width - 54) * step / last, y = (score) => 8 + (height - 20) * (top - score) / (top - low);
  const line = (seat) => scores.map((row, step) => `${x(step).toFixed(1)},${y(row[seat]).toFixed(1)}`).join(" ");
  const cursor = h("path", { class: "cursor" }), veil = h("rect", { class: "secret", y: 0, height });
  const svg = h("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "scores over the game",
    onclick: (event) => {
      const box = svg.getBoundingClientRect();
      go(Math.round(((event.clientX - box.left) / box.width * width - 30) / (width - 54) * last));
    } },
    [low, top].map((score) => h("path", { class: "rule", d: `M30 ${y(score)}H${width - 24}` })),
    points.filter(({ step, level }) => step && !level).map(({ step }) => h("path", { class: "rule", d: `M${x(step)} 4V${height - 8}` })),
    [low, top].map((score) => h("text", { x: 26, y: y(score), class: "tick" }, String(score))),
    scenes[0].seats.map((seat) => h("polyline", { class: `curve of-seat${seat.seat}`, points: line(seat.seat) })), cursor);
  const ends = scenes[0].seats.map((seat) => {
    const sign = seatSign(seat.seat, scenes[0]);
    for (const [key, value] of Object.entries({ x: width - 21, y: y(scores.at(-1)[seat.seat]) - 8, width: 16, height: 16 })) sign.setAttribute(key, value);
    return sign;
  });
  svg.append(...ends, veil);
  host.append(svg);
  return (step, hides) => {
    veil.setAttribute("x", x(step) + 1);
    veil.setAttribute("width", hides ? width - x(step) : 0);
    cursor.setAttribute("d", `M${x(step)} 4V${height - 8}`);
  };
}
