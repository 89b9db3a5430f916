import type { Result } from '../../api/video.ts';

/** `Hate_Humiliation_Harassment` → “Hate, humiliation, harassment”. */
export const categoryName = (id: string): string => {
  const words = id.split('_').map((word, i) => (i === 0 ? word : word.toLowerCase()));
  return ['Scene_Action_Risk', 'Self_Harm', 'Animal_Cruelty', 'Criminal_Planning'].includes(id)
    ? words.join(' ')
    : words.join(', ');
};

/** What a level of coverage means, for people. */
export const coverageWords: Readonly<Record<Result['coverage'][string], string>> = {
  model: 'by a model',
  heuristic: 'by a rule of thumb',
  text: 'in words only',
  none: 'not looked for',
};

export const atTime = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(1).padStart(4, '0')}`;
