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
  'selfNegation',
  'leavesOut',
  'withheld',
] as const;
export type Cue = (typeof cueNames)[number];
