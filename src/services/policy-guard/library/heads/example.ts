/** A text that somebody has judged by one policy. */
export interface Example {
  readonly text: string;
  readonly violates: boolean;
}
