/** Words of one family: "disconnection" and "disconnect", "diagnoses" and "diagnosis". */

const endings = /(?:ations?|itions?|ions?|ments?|ances?|ences?|ities|ity|ics?|als?|ives?|is|es|e|y|i)$/;
const known = new Map<string, string>();
const most = 20_000;
const shortest = 5;

/**
 * The beginning that the words of a family share; of a short word, the word itself. Who does something ("contractor") is
 * no word of the family of what is done.
 * @param root a root of `actions/words.ts`
 */
export function familyOf(root: string): string {
  const before = known.get(root);
  if (before !== undefined) return before;
  const cut = root.replace(endings, '');
  const found = cut.length >= shortest ? cut : root;
  if (known.size < most) known.set(root, found);
  return found;
}
