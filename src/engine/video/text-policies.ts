import type { DetectorSlug } from '../text/types.ts';

/** What words in a video are judged by, category by category, where a deployment names no guard. */

export interface TextPolicy {
  readonly category: string;
  readonly description: string;
  /** The built-in detector that judges it; else the words of the description do. */
  readonly detector?: DetectorSlug;
}

/** Written for the embedded engine: what is meant, in short sentences. */
export const textPolicies: readonly TextPolicy[] = [
  {
    category: 'Hate_Humiliation_Harassment',
    detector: 'hate-bias-discrimination',
    description:
      'Hate speech, slurs, humiliation or harassment of people or groups because of religion, origin, race, gender, sexuality or disability.',
  },
  {
    category: 'Violence_Harm_Cruelty',
    detector: 'violence-abuse',
    description: 'Threats of violence, calls to kill, hurt or torture people, praise of violence.',
  },
  {
    category: 'Sexual',
    detector: 'sexual-suggestive',
    description: 'Sexually explicit content, pornography, offers of sexual services.',
  },
  {
    category: 'Criminal_Planning',
    detector: 'unethical-illegal',
    description:
      'Planning, organising or explaining crimes: theft, burglary, fraud, counterfeit money, hacking, smuggling.',
  },
  {
    category: 'Weapons_Substance_Abuse',
    description:
      'Sale, making or praise of weapons, guns, explosives or illegal drugs, and of abusing substances.',
  },
  {
    category: 'Self_Harm',
    detector: 'suicide-self-harm',
    description: 'Suicide or self-harm: encouragement, methods, or the wish to end one’s own life.',
  },
  {
    category: 'Animal_Cruelty',
    description: 'Cruelty to animals: beating, torturing or killing animals for entertainment.',
  },
  {
    category: 'Political',
    description:
      'Political campaigning: calls to vote for or against a party or candidate, election propaganda.',
  },
];

/** Policies of the built-in group → categories, for guards that attach it. */
export const builtInPolicies: Readonly<Record<string, string>> = {
  'Hate, bias and discriminatory content': 'Hate_Humiliation_Harassment',
  'Violence and abuse': 'Violence_Harm_Cruelty',
  'Sexual and suggestive content': 'Sexual',
  'Unethical and illegal behavior': 'Criminal_Planning',
  'Suicide and self-harm': 'Self_Harm',
};
