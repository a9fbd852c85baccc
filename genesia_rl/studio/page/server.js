// What the page asks of its server: requests with the key of the one who plays, and the stream of a game.

const hash = new URLSearchParams(location.hash.slice(1));
export const key = hash.get("k") ?? "";
export const named = () => new URLSearchParams(location.hash.slice(1)).get("g");

/** The address of a game for a key; what stands behind # never leaves the browser. */
export const address = (name, own = key) => `${location.origin}/#${new URLSearchParams({ k: own, g: name })}`;

/** The address of the replay of a game, as these eyes saw it. */
export const replayed = (name, eyes) => `${location.origin}/replay.html#${new URLSearchParams({ k: key, g: name, eyes })}`;

export class Refusal extends Error {}

async function answered(path, options) {
  const answer = await fetch(path, { ...options, headers: { "X-Key": key, "Content-Type": "application/json" } });
  const body = await answer.json();
  if (!answer.ok) throw new Refusal(body.error ?? `the server answered ${answer.status}`);
  return body;
}

export const get = (path) => answered(path, {});
export const post = (path, body) => answered(path, { method: "POST", body: JSON.stringify(body) });

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Follow a game as these eyes see it, through lost connections, until `stop()` is called. */
export function follow(name, eyes, { told, lost }) {
  const control = new AbortController();
  (async () => {
    for (let wait = 200; !control.signal.aborted; wait = Math.min(3000, wait * 1.6)) {
      try {
        const answer = await fetch(`/api/live/${name}/events?eyes=${eyes}`, { headers: { "X-Key": key }, signal: control.signal });
        if (!answer.ok) throw new Error((await answer.json()).error);
        for await (const news of events(answer.body)) {
          wait = 200;
          if (!control.signal.aborted) told(news);
        }
      } catch (error) {
        if (control.signal.aborted) return;
        lost(error);
      }
      await pause(wait);
    }
  })();
  return { stop: () => control.abort() };
}

async function* events(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (text + value).split("\n\n");
    text = parts.pop();
    for (const part of parts) yield JSON.parse(part.slice("data: ".length));
  }
}
