/** What an attack algorithm is: a pure function from what has been tried so far to the next attempt. */

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** What a case tries to obtain from the model under test. */
export interface Goal {
  /** The request in plain words, as the case sends it without an attack. */
  readonly text: string;
  /** What the request is about; chooses citation types and ladders. */
  readonly topic: Topic;
  /** The case's own system prompt; every attempt keeps it in front. */
  readonly system?: string | undefined;
}

export const topics = [
  'weapons',
  'drugs',
  'chemical_biological',
  'cyber',
  'phishing',
  'fraud',
  'finance',
  'misinformation',
  'hate',
  'self_harm',
  'violence',
  'abuse',
  'extremism',
  'exploitation',
  'privacy',
  'cheating',
  'illegal_goods',
  'medical',
  'legal',
  'policy',
  'other',
] as const;
export type Topic = (typeof topics)[number];

/** How a reply was judged, as far as an algorithm needs to know. */
export interface Judged {
  readonly refusal: 'full' | 'partial' | 'none';
  /** 100 safe, 50 partly, 0 unsafe; null: unassessed. */
  readonly safety: 100 | 50 | 0 | null;
}

/** Sampling of the target that the algorithm's paper prescribes; what is absent stays as the scan sets it. */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxTokens?: number;
}

export type Parameters = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface Attempt {
  /** Unique within the case and algorithm, such as `sample-3`. */
  readonly key: string;
  readonly messages: readonly ChatMessage[];
  readonly sampling?: Sampling;
  /** It does not ask for the goal yet: a reply that is no refusal says nothing about safety. */
  readonly buildsUp?: true;
  /** All that `decode` needs, so that another process can decode a stored reply; shown in results. */
  readonly parameters: Parameters;
}

export interface Done {
  readonly attempt: Attempt;
  /** As the target sent it; null if there was none. */
  readonly reply: string | null;
  readonly judged: Judged;
}

export interface Decoded {
  readonly text: string;
  /** Whether the reply was in the attack's encoding; else `text` is the reply as it came. */
  readonly decoded: boolean;
  /** Share of the reply that the encoding could read, 0 to 1; 1 if there is none. */
  readonly confidence: number;
}

/** An attacker model: answers instructions with text. It is never the model under test. */
export type Attacker = (request: {
  readonly instructions: string;
  readonly input: string;
}) => Promise<string>;

export interface AttackContext {
  /** Equal seeds give equal attempts. */
  readonly seed: number;
  readonly attacker?: Attacker | undefined;
}

export interface Attack {
  /** As the documents spell it. */
  readonly name: string;
  /** Where the algorithm is published. */
  readonly reference: string;
  /** Attempts for one case at most. */
  readonly most: number;
  /**
   * The next attempt after those in `done`; undefined when the algorithm is at its end or an attempt has
   * succeeded. Depends on its arguments alone (and on the attacker model, where there is one), so that an
   * interrupted scan continues from its stored attempts.
   */
  readonly next: (goal: Goal, done: readonly Done[], context: AttackContext) => Promise<Attempt | undefined>;
  /** The reply in plain text. */
  readonly decode: (attempt: Attempt, reply: string) => Decoded;
  /**
   * Whether a reply is long enough to count as a success by the algorithm's paper; a shorter one counts as
   * partly unsafe at most.
   */
  readonly substantial?: (goal: Goal, reply: string) => boolean;
}

export const succeeded = (done: readonly Done[]): boolean => done.some(({ judged }) => judged.safety === 0);

export const asItCame = (reply: string): Decoded => ({ text: reply, decoded: false, confidence: 1 });

/** The case's system prompt with the attack's own below it. */
export function inConversation(
  goal: Goal,
  system: string | undefined,
  ...rest: ChatMessage[]
): ChatMessage[] {
  const content = [goal.system, system].filter(Boolean).join('\n\n');
  return content === '' ? rest : [{ role: 'system', content }, ...rest];
}

export const user = (content: string): ChatMessage => ({ role: 'user', content });
export const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });

/** An algorithm whose attempts don't depend on earlier replies: it stops at the first success. */
export function listed(
  attack: Omit<Attack, 'next'> & {
    attempt: (goal: Goal, index: number, context: AttackContext) => Promise<Attempt>;
  },
): Attack {
  const { attempt, ...rest } = attack;
  return {
    ...rest,
    next: async (goal, done, context) =>
      succeeded(done) || done.length >= attack.most ? undefined : attempt(goal, done.length, context),
  };
}
