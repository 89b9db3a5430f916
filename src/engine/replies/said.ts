/** What the judges of single expectations get and give. */
import type { OtherReply } from './agreement.ts';
import type { Expectation, Judgement, Level } from './expectation.ts';
import type { DetectedRefusal } from './refusal/detect.ts';

export interface JudgedReply {
  readonly expect: Expectation;
  /** What the case asks in plain words, before any attack changed it. */
  readonly request: string;
  /** As the model sent it. */
  readonly reply: string;
  /** The reply read in the attack's encoding, where there is one. */
  readonly decoded?: string | undefined;
  /** Replies to other cases, for `same_as`. */
  readonly others?: readonly OtherReply[] | undefined;
}

export type Evidence = Judgement['evidence'][number];

/** What one of the judges says; the rest of the judgement is the same for all. */
export interface Said {
  readonly level: Level;
  readonly reason: string;
  readonly by: string;
  readonly evidence?: readonly Evidence[];
}

export interface Read extends JudgedReply {
  readonly text: string;
  readonly thoughts: string;
  readonly refusal: DetectedRefusal;
}
