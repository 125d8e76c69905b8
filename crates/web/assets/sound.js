/**
 * A knock of wood for every move, made here and off until the reader asks for it.
 * @module
 */

const KEY = "wits-sound";
let context = null;

/** Whether the reader wants to hear moves. */
export function soundOn() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}

/** Turns the sound on or off; on, it is heard at once. */
export function setSound(on) {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // Without storage the choice holds for nothing but this call.
  }
  if (on) knock();
}

/** One knock, a little lower for the other side. */
export function knock(low = false) {
  if (!soundOn()) return;
  context ??= new AudioContext();
  const at = context.currentTime;
  const tone = new OscillatorNode(context, { type: "triangle", frequency: low ? 220 : 330 });
  const loud = new GainNode(context, { gain: 0.18 });
  tone.frequency.exponentialRampToValueAtTime(low ? 90 : 140, at + 0.07);
  loud.gain.exponentialRampToValueAtTime(0.001, at + 0.09);
  tone.connect(loud).connect(context.destination);
  tone.start(at);
  tone.stop(at + 0.1);
}
