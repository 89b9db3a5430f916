/**
 * The function with a memory of its newest answers, so that what is asked again and again is worked out once. It holds at
 * most twice as many answers as `most`, whatever it is asked.
 */
export function remembering<T>(answer: (question: string) => T, most: number): (question: string) => T {
  let newer = new Map<string, T>();
  let older = new Map<string, T>();
  return (question) => {
    const known = newer.get(question);
    if (known !== undefined) return known;
    const found = older.get(question) ?? answer(question);
    if (newer.size >= most) [older, newer] = [newer, new Map()];
    newer.set(question, found);
    return found;
  };
}
