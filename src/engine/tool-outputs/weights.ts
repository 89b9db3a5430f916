/** Fitted by logistic regression on passages of tool results, half of them harmless; in the order of `featureNames`. */
export const weights: readonly number[] = [
  0.384, // called
  1.586, // clear-reader
  1.65, // reads-this
  -1.689, // technical
  0.727, // at
  0.765, // modal
  1.543, // does
  0.318, // ifyou
  1.36, // field
  0.639, // imperative
  0.728, // imperative-here
  1.789, // owner
  0.464, // secret
  1.08, // risky
  0.755, // hide
  1.056, // consent
  1.273, // persist
  0.354, // verdict
  1.134, // override
  0.893, // markup
  1.264, // foreign
  -1.639, // told-of
  -0.774, // past
  -0.431, // quoted
  -0.655, // rules-kept
  0.8, // clear-reader and called
  0.63, // clear-reader and does
  0.731, // clear-reader and modal
  -0.167, // clear-reader and imperative-here
  0.302, // called and imperative-here
  0.534, // called and risky
  -0.073, // clear-reader and risky
  -0.094, // clear-reader and owner
  -0.241, // quoted and told-of
  -0.213, // quoted and past
  -0.365, // technical and does
  -0.377, // technical and clear-reader
];
export const bias = -2.221;
