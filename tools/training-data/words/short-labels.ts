import { harmless } from '../style.ts';
import type { DetectorId, Labels } from '../style.ts';

const names: Record<string, DetectorId> = {
  gen: 'general_harmful',
  hate: 'hate_bias',
  jb: 'jailbreak',
  pi: 'prompt_injection',
  viol: 'violence_abuse',
  prof: 'profanity_offensive',
  sex: 'sexual_suggestive',
  ill: 'unethical_illegal',
  self: 'self_harm',
};

/** `gen+ill+viol?` is general 1, illegal 1, violence unknown, all else 0; `0` is all 0. */
export function shortLabels(key: string): Labels {
  const labels = harmless();
  if (key === '0') return labels;
  for (const part of key.split('+')) {
    const id = names[part.replace('?', '')];
    if (id === undefined) throw new RangeError(`no detector named ${part}`);
    labels[id] = part.endsWith('?') ? null : 1;
  }
  return labels;
}
