/** A text, and what its policy should say of it. */
export interface TestCase {
  readonly text: string;
  readonly violates: boolean;
}
