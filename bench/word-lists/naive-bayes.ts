/** A small classifier as one trains in an afternoon: multinomial naive Bayes over words and pairs of words. */

const featuresOf = (text: string): string[] => {
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  return [...words, ...words.slice(1).map((word, at) => `${words[at]} ${word}`)];
};

/** @param rows texts with 1 or 0. Returns whether a text is more likely to be of the first kind. */
export function trainNaiveBayes(rows: readonly { text: string; label: number }[]): (text: string) => boolean {
  const counts = new Map<string, [number, number]>();
  const sums: [number, number] = [0, 0];
  const seen: [number, number] = [0, 0];
  for (const { text, label } of rows) {
    const side = label === 1 ? 1 : 0;
    seen[side] += 1;
    for (const feature of new Set(featuresOf(text))) {
      const known = counts.get(feature) ?? [0, 0];
      known[side] += 1;
      counts.set(feature, known);
      sums[side] += 1;
    }
  }
  for (const [feature, [no, yes]] of counts) if (no + yes < 3) counts.delete(feature);
  const size = counts.size;
  return (text) => {
    // Equal priors: how many of the training rows are harmful says nothing of a product's traffic.
    let logit = 0;
    for (const feature of new Set(featuresOf(text))) {
      const found = counts.get(feature);
      if (found === undefined) continue;
      logit +=
        Math.log((found[1] + 0.5) / (sums[1] + size / 2)) - Math.log((found[0] + 0.5) / (sums[0] + size / 2));
    }
    return logit > 0;
  };
}
