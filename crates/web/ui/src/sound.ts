// A quiet click for every move, if somebody wants it.

import { h } from "./dom";

const KEY = "ludens.sound";
let context: AudioContext | null = null;

const isOn = () => localStorage.getItem(KEY) === "on";

/** Sounds like wood, for a twentieth of a second. */
export function click(): void {
  if (!isOn()) return;
  context ??= new AudioContext();
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  const now = context.currentTime;
  tone.frequency.setValueAtTime(420, now);
  tone.frequency.exponentialRampToValueAtTime(140, now + 0.05);
  volume.gain.setValueAtTime(0.25, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.06);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.07);
}

/** The switch. */
export function soundChoice(): HTMLElement {
  const box = h("input", {
    type: "checkbox",
    checked: isOn(),
    onchange: () => localStorage.setItem(KEY, box.checked ? "on" : "off"),
  });
  return h("label", { class: "param" }, box, "Sound");
}
