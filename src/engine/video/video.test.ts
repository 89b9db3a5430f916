import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clipWindows } from './clips.ts';
import { clipProbability, doubtfulOf, flagsOf } from './corroborate.ts';
import { coverageOf } from './coverage.ts';
import { FireMeter } from './fire.ts';
import { FlashRule, type FlashEvent } from './flash.ts';
import { MovementMeter } from './movement.ts';
import { textLikeness } from './text-likeness.ts';
import { textStrip } from './text-strip.ts';

const size = { width: 48, height: 27 };
type Colour = readonly [number, number, number];

/** A picture whose pixels have the colour that the function says. */
function picture(seconds: number, colourAt: (x: number, y: number) => Colour) {
  const rgb = new Uint8Array(size.width * size.height * 3);
  for (let y = 0; y < size.height; y += 1)
    for (let x = 0; x < size.width; x += 1) rgb.set(colourAt(x, y), (y * size.width + x) * 3);
  return { ...size, seconds, rgb };
}

function follow(pictures: Iterable<ReturnType<typeof picture>>) {
  const rule = new FlashRule(size.width, size.height);
  const transitions: FlashEvent[] = [];
  const windows = [];
  for (const each of pictures) {
    const found = rule.next(each);
    transitions.push(...found.transitions);
    windows.push(...found.ended);
  }
  return { transitions, windows: [...windows, ...rule.end()] };
}

/** `pictures` pictures at 30 a second. */
const sequence = (count: number, colourOf: (i: number) => (x: number, y: number) => Colour) =>
  Array.from({ length: count }, (_, i) => picture(i / 30, colourOf(i)));

const gray = (value: number) => (): Colour => [value, value, value];

test('three flashes a second are allowed, four are not', () => {
  // A transition every five pictures: six a second.
  const allowed = follow(sequence(90, (i) => gray(i % 10 < 5 ? 16 : 235)));
  assert.equal(allowed.transitions.length, 17);
  assert.deepEqual(allowed.windows, []);
  const tooMany = follow(sequence(90, (i) => gray(i % 8 < 4 ? 16 : 235)));
  assert.equal(tooMany.windows.length, 1);
  assert.equal(tooMany.windows[0]?.transitions, 8);
});

test('a change below a tenth of relative luminance, and one between bright states, are no flashes', () => {
  // .09 of luminance; and .81 to 1.
  assert.deepEqual(follow(sequence(60, (i) => gray(i % 2 === 0 ? 0 : 83))).transitions, []);
  assert.deepEqual(follow(sequence(60, (i) => gray(i % 2 === 0 ? 232 : 255))).transitions, []);
  assert.ok(follow(sequence(60, (i) => gray(i % 2 === 0 ? 0 : 100))).transitions.length > 50);
});

test('less than a quarter of the picture does not count, a quarter does', () => {
  const part = (columns: number) =>
    follow(sequence(60, (i) => (x) => (x < columns && i % 2 === 0 ? [255, 255, 255] : [0, 0, 0]))).windows
      .length;
  assert.equal(part(11), 0);
  assert.equal(part(12), 1);
});

test('a fade over several pictures is one transition', () => {
  const fade = sequence(60, (i) => gray(Math.round(127 + 120 * Math.sin((2 * Math.PI * i) / 30))));
  const { transitions } = follow(fade);
  // Two cycles of brightness: up and down in turn.
  assert.ok(transitions.length >= 4 && transitions.length <= 5, String(transitions.length));
});

test('saturated red that flashes at equal luminance is found by the red rule', () => {
  const red: Colour = [200, 0, 0];
  const green: Colour = [0, 102, 0];
  const { windows } = follow(sequence(60, (i) => () => (i % 2 === 0 ? red : green)));
  assert.deepEqual(
    windows.map(({ kind }) => kind),
    ['red'],
  );
});

test('a texture that moves through the picture is no flash', () => {
  const pan = sequence(90, (i) => (x) => ((x + i) % 4 < 2 ? [255, 255, 255] : [0, 0, 0]));
  assert.deepEqual(follow(pan).windows, []);
});

test('a hit alone counts from .95 on, two of three neighbours count at the threshold', () => {
  const frames = [0.1, 0.6, 0.1, 0.1, 0.7, 0.1, 0.55, 0.1, 0.96].map((value, seconds) => ({
    seconds,
    probs: { Sexual: value },
  }));
  assert.deepEqual(flagsOf(frames, 'Sexual', 0.5), [
    false,
    false,
    false,
    false,
    true,
    false,
    true,
    false,
    true,
  ]);
  assert.deepEqual(doubtfulOf(frames, { Sexual: 0.5 }), [1]);
  assert.equal(clipProbability(frames.slice(4, 7), 'Sexual').toFixed(3), '0.625');
});

test('a category that no detector covers is “none”, and the strongest level wins', () => {
  const covering = [
    { detector: 'text', level: 'text', category: 'Political' },
    { detector: 'nsfw', level: 'model', category: 'Sexual' },
    { detector: 'text', level: 'text', category: 'Sexual' },
  ] as const;
  assert.deepEqual(coverageOf(['Sexual', 'Political', 'Animal_Cruelty'], covering), {
    Sexual: 'model',
    Political: 'text',
    Animal_Cruelty: 'none',
  });
});

test('windows follow each other, and a rest of less than a second belongs to the last', () => {
  assert.deepEqual(
    clipWindows(10, 4).map(({ endSeconds }) => endSeconds),
    [4, 8, 10],
  );
  assert.deepEqual(
    clipWindows(8.4, 4).map(({ endSeconds }) => endSeconds),
    [4, 8.4],
  );
  assert.deepEqual(clipWindows(0, 4), [{ startSeconds: 0, endSeconds: 0 }]);
});

/** Deterministic noise from 0 to 1. */
const noise = (a: number, b: number, c: number) => {
  const value = Math.sin(a * 12.9898 + b * 78.233 + c * 37.719) * 43_758.5453;
  return value - Math.floor(value);
};

/** Which windows of four and a half seconds count as fire. */
function firesOf(colourAt: (x: number, y: number, i: number) => Colour): boolean[] {
  const meter = new FireMeter(size.width, size.height);
  return Array.from({ length: 45 }, (_, i) =>
    meter.next(
      picture(i / 10, (x, y) => colourAt(x, y, i)),
      false,
    ),
  )
    .filter((found) => found !== undefined)
    .map(({ isFire }) => isFire);
}

const dark: Colour = [20, 20, 30];
const orange = (level: number): Colour => [
  Math.round(250 * level),
  Math.round(150 * level),
  Math.round(40 * level),
];

test('orange that flickers is fire, orange that is still is not', () => {
  const flames = (flicker: number) =>
    firesOf((x, y, i) => (y < 15 || x < 15 || x > 33 ? dark : orange(1 - flicker * noise(x, y, i))));
  assert.deepEqual(flames(0.35), [true, true]);
  assert.deepEqual(flames(0), [false, false]);
});

test('orange things that move, and warm light that flickers as a whole, are no fire', () => {
  const balls = firesOf((x, y, i) => ((x + 4 * i) % 16 < 8 && y > 9 && y < 18 ? orange(1) : dark));
  assert.deepEqual(balls, [false, false]);
  const lamp = firesOf((x, y, i) => (x > 10 ? orange(0.75 + 0.25 * noise(0, 0, i)) : dark));
  assert.deepEqual(lamp, [false, false]);
});

test('a pan leaves little residual movement, another scene is a cut', () => {
  const meter = new MovementMeter(size.width, size.height);
  const scene =
    (shift: number, seed: number) =>
    (x: number, y: number): Colour => {
      const value = Math.round(255 * noise(Math.floor((x + shift) / 4), Math.floor(y / 4), seed));
      return [value, value, seed * 100];
    };
  meter.next(picture(0, scene(0, 1)));
  assert.ok(meter.next(picture(0.1, scene(2, 1))).residual < 0.01);
  assert.equal(meter.next(picture(0.2, scene(4, 1))).isCut, false);
  assert.ok(meter.next(picture(0.3, scene(4, 2))).residual > 0.1);
});

test('rows of sharp strokes look like words, a plain area and fine noise do not', () => {
  const wide = { width: 320, height: 160 };
  const of = (colourAt: (x: number, y: number) => number) => {
    const rgb = new Uint8Array(wide.width * wide.height * 3);
    for (let y = 0; y < wide.height; y += 1)
      for (let x = 0; x < wide.width; x += 1)
        rgb.fill(colourAt(x, y), (y * wide.width + x) * 3, (y * wide.width + x) * 3 + 3);
    return textLikeness({ ...wide, rgb }).blocks;
  };
  assert.equal(
    of(() => 100),
    0,
  );
  assert.ok(of((x, y) => (y > 60 && y < 80 && x > 40 && x < 200 && x % 6 < 2 ? 255 : 20)) >= 10);
  assert.equal(
    of((x, y) => Math.round(128 + 10 * noise(x, y, 1))),
    0,
  );
});

test('words are in one region, and their letters are told from background and outline', () => {
  const wide = { width: 320, height: 160 };
  /** Strokes of three pixels in every eight, with outlines where there are any, in the middle of the picture. */
  const regionsOf = (letter: number, ground: (x: number) => number, outline?: number) => {
    const rgb = new Uint8Array(wide.width * wide.height * 3);
    for (let y = 0; y < wide.height; y += 1)
      for (let x = 0; x < wide.width; x += 1) {
        const isLine = y >= 64 && y < 84 && x >= 40 && x < 240;
        const stroke = x % 8;
        const isEdge = stroke === 0 || stroke === 4;
        const value = !isLine || stroke > 4 ? ground(x) : isEdge ? (outline ?? ground(x)) : letter;
        rgb.fill(value, (y * wide.width + x) * 3, (y * wide.width + x) * 3 + 3);
      }
    const found = textLikeness({ ...wide, rgb });
    return { regions: found.regions, strips: found.regions.map((each) => textStrip({ ...wide, rgb }, each)) };
  };
  const gradient = (x: number) => 60 + Math.round(x / 4);
  for (const [name, { regions, strips }, isLight] of [
    ['light on a gradient', regionsOf(250, gradient), true],
    ['dark on light', regionsOf(10, () => 200), false],
    ['light with a dark outline', regionsOf(250, () => 120, 0), true],
    ['light with a dark outline on a light ground', regionsOf(255, () => 170, 0), true],
    ['dark with a light outline', regionsOf(0, () => 120, 255), false],
  ] as const) {
    assert.equal(regions.length, 1, name);
    assert.equal(regions[0]?.isLight, isLight, name);
    const { grey = new Uint8Array() } = strips[0] ?? {};
    // Letters are black, ground and outline white.
    const share = (isOf: (value: number) => boolean) => grey.filter(isOf).length / grey.length;
    assert.ok(share((value) => value < 60) > 0.05, name);
    assert.ok(share((value) => value > 200) > 0.5, name);
  }
});
