/** What a sentence of a reply can do. */
export const cueNames = [
  'decline',
  'inability',
  'apology',
  'policy',
  'identity',
  'moral',
  'alternative',
  'resource',
  'empathy',
  'caution',
  'agree',
  'ask',
  'turn',
] as const;
export type Cue = (typeof cueNames)[number];
