/** Obligations expressed without "must" or "not": commitments, deadlines, imperatives, taboos. Pure. */

/** Commitments in contracts, including "will". */
const undertaking =
  /\b(?:undertakes?|covenants?|agrees?|promises?|commits?|pledges?) (?:not )?to\b|\b(?:is|are) (?:liable|bound|committed) to\b|\b(?:will|won[’']t) (?!(?:find|see|learn|receive|notice|help|be (?:able|available|updated|published|launched|discussed|used|reviewed)|apply|take effect|come into)\b)(?:not |never )?\p{Ll}{2,}/iu;

/** Wording that only occurs in rules, not in descriptions. */
const limit =
  /\b(?:within (?:the |one |two |three |four |five |six |seven |ten |\d+ )(?:same )?(?:seconds?|minutes?|hours?|days?|weeks?|months?|working|business|calendar)|no later than|no longer than|not later than|at (?:the )?(?:most|latest)|at once|immediately|right away|straight away|forthwith|promptly|without (?:undue |any )?delay|without exception|every (?:single )?time|full stop|no exceptions?|in all cases|in any case|at all times)\b/i;

/** Prohibitions in other words than "prohibited". */
const outOfBounds =
  /\b(?:(?:is|are|remains?|stays?|would be) (?:taboo|inadmissible|impermissible|precluded|undisclosed|confidential|inconsistent with|contrary to|incompatible with|nobody[’']s business|out of bounds|off[- ]limits|off the table|out of the question|a no-go|no-go|banned|barred|ruled out|reserved (?:for|to)|confined to|for [\w ]{1,40} only)|stay(?:s|ing)? (?:away from|out of|clear of)|steer(?:s|ing)? clear of|keep(?:s|ing)? (?:away from|out of|clear of)|hands? off|ha(?:s|ve) no (?:place|authority|right|business)|do(?:es)? without|not for [\w ’']{1,40} to)\b/i;

/** Prerequisites, such as approvals. */
const need =
  /\b(?:is|are) (?:asked|advised|requested|urged|instructed|invited|reminded) to\b|\bowes?\b|\bonly (?:once|after)\b|\bonce [^.]{1,80}\bnot (?:earlier|before)\b|\bwithout regard to\b|\bregardless of\b|\bneeds? (?:the |an? |two |written |prior |explicit )*(?:approval|consent|permission|sign-?off|signature|review|check|pairs? of eyes|go-ahead|confirmation)\b|\bdeserves?\b|\b(?:is|are) (?:binding|due)\b|\bwaits? for (?:the |an? )?(?:human|person|approval|confirmation|consent|go-ahead|colleague|manager|answer|signature)\b|\bhands? (?:it |them )?(?:over|off) to\b|\b(?:carry|carries|bears?) (?:the|a) (?:label|mark|notice|warning|note)\b|\b(?:has|have) to go\b|\bsubject to (?:the |prior |written )*(?:approval|consent|review)\b/i;

/** "No transcript leaves the building", "nobody asks for one". */
const nobodyDoes =
  /(?:^|[,;:] |\band )(?:nobody|no one|no-one|none of (?:us|them|the)|neither(?: \p{L}+){1,3}|no(?: \p{L}+){1,4}) (?:(?:at|in|of|on|from|with)(?: \p{L}+){1,4} )?(?!(?:has|is|was|does|yes|always|less|plus|perhaps|as)\b)\p{Ll}{3,}s\b|^(?:nobody|no one) (?:is|are) \p{Ll}+(?:ed|en)\b|\b(?:gets?|has|have) none\b/iu;

const openings =
  'about|above|across|after|against|all|along|alongside|although|among|another|any|anyone|are|around|as|at|because|before|behind|below|beside|besides|between|beyond|both|but|by|can|despite|did|do|does|down|during|each|either|enough|even|every|everyone|everything|except|few|for|from|given|had|half|has|he|her|here|his|how|however|i|if|in|inside|instead|into|is|it|its|just|like|many|may|more|most|much|must|my|near|neither|nor|not|now|of|off|on|once|one|only|onto|or|other|our|out|outside|over|past|per|plus|quite|rather|same|save|several|she|should|since|so|some|soon|still|such|than|that|the|their|then|there|these|they|this|those|though|through|throughout|thus|to|today|together|too|toward|towards|twice|two|under|unless|unlike|until|up|upon|was|we|well|were|what|whatever|when|where|whether|which|while|who|whom|whose|why|will|with|within|without|would|yes|yet|you|your';

/** A sentence that begins with a verb and what it is done to. */
const plainOrder = new RegExp(
  `^(?:(?:if|when|whenever|once|before|after|where|wherever|unless)\\b[^,]{1,120}, )?(?:please |always |then |first,? )?(?!(?:${openings})\\b)(?!\\p{L}+(?:ing|ed|ly|ion|ment|ness|ity)\\b)\\p{L}{2,} (?:the|an?|your|our|their|his|her|its|it|them|him|every|each|any|all|no|only|this|these|nothing|at once|right away)\\b`,
  'iu',
);

/** What is said of those who do it, or of the thing itself. */
const condemned =
  /\b(?:is|are|counts? as|amounts? to|constitutes?) (?:itself |also )?(?:(?:a |an )?(?:serious |gross )?(?:breach|violation|offence|offense|misconduct|infringement|sacking matter)\b|cheating|fraud|theft|plagiarism|grounds for|out of place|out of line|unwelcome|inappropriate|unprofessional|unlawful|not on\b)|\b(?:will )?faces? disciplinary\b|\bcalls? for (?:the )?[\w’' ]{1,40}(?:agreement|approval|consent|permission)\b/i;

/** "It is imperative", "on no account", "the same goes for": the sentence is there to bind. */
const framed =
  /\b(?:it is|it's) (?:imperative|essential|vital|crucial|compulsory|obligatory|critical|paramount)\b|\b(?:under no (?:conditions?|circumstances)|on no account|in no case|at no time|by no means)\b|^(?:the )?same (?:goes|applies|holds) (?:for|to)\b|\b(?:is|are) to (?!be\b)\p{Ll}{2,} (?!(?:that|say)\b)|,? (?:and )?no more\.?$|\bonly\.$|\b\p{Ll}{2,}s? (?:into|in|to|on|through|via|onto) no \p{Ll}{3,}|\bkeeps? [\w ]{1,40}\b(?:confidential|secret|private)\b/iu;

/** What is done before something else may be: "diagnoses are blacked out before a file is shared". */
const inOrder =
  /\b(?:is|are) (?:\p{Ll}+(?:ed|en)|kept|sent|shown|told|held|put|read|made)(?: out| off| up| down)? (?:\p{L}+ ){0,6}(?:before|as such|first)\b|\b(?:goes|go) out (?:\p{L}+ ){0,10}(?:after|once|when)\b|\bstays? (?:in|with|on|inside|within) the\b/iu;

/** Words such as "usually" mark descriptions. */
const usual =
  /^(?:most|many|some|several|often|usually|typically|generally|normally|sometimes|on average)\b|\b(?:usually|typically|normally|often|on average|last year|so far|since (?:spring|summer|autumn|winter|\d))\b/i;

/** Whether a sentence is binding by one of these patterns. */
export const bindsOtherwise = (text: string): boolean =>
  !usual.test(text) &&
  [undertaking, limit, outOfBounds, need, nobodyDoes, condemned, framed, inOrder, plainOrder].some((cue) =>
    cue.test(text),
  );

/** Whether it forbids by one of these. */
export const forbidsOtherwise = (text: string): boolean =>
  outOfBounds.test(text) ||
  condemned.test(text) ||
  nobodyDoes.test(text) ||
  /\b(?:undertakes?|agrees?|promises?|commits?) not to\b|\bwill (?:not|never)\b|\bwon[’']t\b/i.test(text);

/** Headings that say of every item below what it is, such as "Do" and "Don’t". */
export function leadOfHeading(heading: string): 'Do' | 'Do not' | undefined {
  const words = heading.trim().replace(/[:.!]$/, '');
  if (
    /^(?:dos?|always|please do|what (?:you must|we|to) do|you must|must do|required|we always)$/i.test(words)
  )
    return 'Do';
  return /^(?:don[’']?ts?|do nots?|never|what not to do|prohibited|forbidden|not allowed|you must not|must not|we never|what we (?:do not|don[’']t) do|no-?gos?)$/i.test(
    words,
  )
    ? 'Do not'
    : undefined;
}
