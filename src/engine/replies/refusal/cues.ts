/**
 * What a sentence of a reply does, told by its wording in nine languages. All patterns run on lower-cased text without
 * accents ({@link folded}); every repetition in them is bounded. A cue is only a hint: the fitted model in `model.ts`
 * weighs where in the reply it stands and what else is there.
 */
import { abroad } from './cues-abroad.ts';

export const cueNames = [
  'decline',
  'inability',
  'apology',
  'policy',
  'identity',
  'moral',
  'alternative',
  'resource',
  'caution',
  'agree',
  'ask',
  'turn',
] as const;
export type Cue = (typeof cueNames)[number];

const cannot =
  "(?:can'?t|can ?not|could ?n[o']?t|won'?t|will not|(?:'m|am|are|'re) (?:un(?:able|willing)|not (?:able|going|willing|allowed|permitted|comfortable|at liberty|prepared|in a position|here|designed|programmed|the right))(?: to)?|(?:do not|don'?t) (?:feel comfortable|want to|wish to)|would(?:n'?t| not)|(?:'d|would) (?:rather|prefer) not(?: to)?|refuse to|(?:must|have to|need to|'ll have to|will have to|am going to|'m going to|would have to)(?: \\w+){0,2} (?:decline|refuse|pass|stop)|decline to|should(?:n'?t| not)|must(?:n'?t| not)|(?:do not|don'?t) (?=(?:provide|engage|support|create|generate|assist|help|write|produce|condone|share|give|discuss|offer|do)\\b)|never )";
const helping =
  '(?:help|assist|provid|giv(?:e|ing)|offer|shar(?:e|ing)|answer|respond|repl(?:y|ies)|fulfil|compl(?:y|ete)|do (?:that|this|so|it|any)|writ(?:e|ing)|creat|generat|produc|engag|support|participat|discuss|advis|explain|describ|tell|teach|continu|go (?:along|there|into|through|ahead)|encourag|recommend|suggest|endors|condon|promot|facilitat|say|talk|get into|be (?:part|of|involved|able|used)|make|list|draft|guid|walk|show|translat|role-?play|pretend|pretending|play|agree|disclos|reveal|speculat|act|carry|accommodat|proceed|process|execut|perform|cover|entertain|contribut|accept|take part|present|adopt|supply|instruct|outlin|reproduc|send|put (?:together|that|this)|lay out|touch|point you)';

const english: Readonly<Record<Cue, readonly RegExp[]>> = {
  decline: [
    new RegExp(
      `\\b(?:i|we|this assistant|assistant)(?:'m| am)?,?(?: \\w+){0,3}?(?: |(?='))${cannot}(?: [\\w'-]+,?){0,4}? ?${helping}`,
    ),
    new RegExp(
      `(?:sorry|apologi[sz]e|regret|afraid|unfortunately|no),? (?:but |that )?(?:i |we )?(?:${cannot})`,
    ),
    /(?:\bi|\bwe)(?: really| truly| respectfully| simply| just)? (?:can'?t|cannot|won'?t|will not) (?:do|help|assist|answer|comply)\b/,
    /\b(?:unable|not able) to (?:help|assist|provide|answer|comply|fulfil|complete|process|respond|discuss|generate)/,
    /\b(?:that|this|it)(?:'s| is)(?: simply| just)? (?:not something|nothing|something)(?: that)? (?:i|we)(?:'m|'ll| am| can| will|'d| could|'re| would|\b)(?: not| never|n't)?/,
    /\b(?:is|falls?|are) (?:outside|beyond|not within) (?:of )?(?:what i|my|the scope|the bounds)/,
    /\b(?:i|we)(?:'ll| will|'m going to| must| have to| need to)(?: \w+){0,3} (?:decline|refuse|pass on|pass\b|opt out|draw the line|stop (?:you )?(?:here|there))/,
    /\b(?:i|we) (?:\w+ )?(?:decline|refuse)\b/,
    /\b(?:request|prompt|message|content|query|question) (?:\w+ ){0,3}(?:declined|denied|refused|rejected|blocked|not (?:allowed|permitted|supported))/,
    /^(?:\W{0,3}(?:no|nope|nah|absolutely not|not happening|no way|hard pass|pass)\b[.,!; —-])/,
    /\bnot (?:going to|gonna) (?:happen|help|do|write|touch|give|tell|walk|be)/,
    /\b(?:let'?s|let us) (?:not|talk about something else|change the (?:subject|topic)|keep (?:it|this|things) (?:clean|safe|legal|respectful))/,
    /\bi'?d (?:rather|prefer) (?:not|we|that we|to (?:talk|discuss|help))/,
    /\bi (?:do not|don'?t) (?:think|believe) (?:i|it'?s|that'?s|it is|it would be|that would be) (?:\w+ )?(?:should|appropriate|right|wise|a good|responsible|ethical|can)/,
    /\b(?:you'?ll|you will|you) (?:need to|have to|won'?t) (?:look|find|get) (?:\w+ ){0,3}(?:elsewhere|from me)/,
    /\b(?:isn'?t|not|nothing) (?:\w+ ){0,3}(?:i'?ll|i will|i'?m going to|i can) (?:help|assist|do|write|touch|provide|give|get)/,
    /\bnot comfortable\b|\bhave to stop\b|\bmust stop\b|\bcount me out\b/,
  ],
  inability: [
    /\b(?:i|we) (?:do not|don'?t|can'?t|cannot|currently don'?t)(?: \w+){0,2} (?:have|access|browse|possess|see|open|view|retrieve|know|hear)\b/,
    /\bi (?:do not|don'?t)(?: \w+)? (?:have|possess) (?:\w+ ){0,3}(?:access|ability|information|data|knowledge|records|opinions|feelings|beliefs|body|details)/,
    /\bno (?:reliable |public |access|way (?:of|to))(?: \w+){0,3}(?:information|to know|knowing|verify|records)/,
    /\b(?:not (?:publicly|available|something i have)|is private|private (?:individual|person|matter|information))\b/,
  ],
  apology: [
    /^\W{0,3}(?:(?:oh|hmm|well|ah)[, ]+)?(?:i'?m (?:\w+ )?sorry|sorry|i (?:sincerely )?apologi[sz]e|my apologies|i regret|unfortunately|i'?m afraid|regrettably)/,
  ],
  policy: [
    /\b(?:against|violat\w+|breach\w*|contraven\w+|conflicts? with|prohibited (?:by|under)|contrary to|goes? against|comply with|in line with|bound by|not (?:align\w*|permitted)|outside) (?:\w+'?s? ){0,4}(?:guideline|polic|programming|principle|value|terms|rules|standards|safety|purpose|community)/,
    /\b(?:my|our|ethical|safety|content|usage|community) (?:\w+ ){0,2}(?:guidelines|policy|policies|programming|principles|training|protocols?|filter)\b/,
    /\b(?:designed|programmed|built|trained|intended|meant|here) to (?:be (?:helpful|safe|harmless|respectful|useful)|promote|assist|help|provide|support|follow|avoid|prioriti[sz]e)/,
  ],
  identity: [
    /\bas an? (?:\w+ ){0,5}(?:ai|assistant|language model|llm|chatbot|model|bot)\b|\bi(?:'m| am) (?:just |only |simply )?an? (?:\w+ ){0,4}(?:ai|assistant|language model|chatbot|bot)\b|\bmy (?:role|purpose|goal|aim) (?:here )?is\b/,
  ],
  moral: [
    /\b(?:is|are|'s|be|would be|considered|both)(?: \w+){0,3} (?:illegal|unethical|immoral|unlawful|wrong|unacceptable|inappropriate|dangerous|harmful|hurtful|offensive|a (?:serious )?(?:crime|offen[cs]e|felony)|against the law|criminal|disrespectful|discriminatory|hateful|cruel|irresponsible)\b/,
    /\b(?:never|not|isn'?t|aren'?t|don'?t think it'?s|nor)(?: \w+){0,2} (?:okay|ok|acceptable|appropriate|ethical|legal|right to|justified|productive|respectful|moral|a (?:good|safe|healthy) (?:idea|way))\b/,
    /\bno (?:justification|excuse|place|room|circumstances?|reason (?:to|for|why))\b/,
    /\b(?:you|one|people|nobody|we) should (?:never|not)\b|\bshould(?:n'?t| never| not) be (?:\w+ed|done|taken|used)\b/,
    /\b(?:strongly|firmly) (?:condemn|advise|discourage|urge|oppose|encourage)|\bi (?:urge|implore|advise|encourage|beg) you\b/,
    /\b(?:deserves?|all (?:people|human beings|individuals)|regardless of|every(?:one|body) (?:is|has|should|deserves))\b.{0,80}\b(?:respect|dignity|equal|rights|fair|kindness|treated)/,
    /\bit(?:'s| is) (?:important|crucial|essential|vital|necessary|worth)(?: \w+)? (?:to|that) (?:\w+ )?(?:remember|note|treat|respect|recogni[sz]e|prioriti[sz]e|consider|understand|approach|be (?:respectful|mindful|aware|kind)|promote|avoid|use|acknowledge|obey|follow|seek)/,
    /\b(?:serious|severe|legal|grave|devastating|lasting|criminal)(?: \w+){0,2} (?:consequences|harm|penalties|repercussions|charges|damage|injur)/,
    /\b(?:condon|promot|encourag|perpetuat|incit|glorif)\w{0,4} (?:\w+ ){0,3}(?:violence|hate|harm|discriminat|illegal|stereotyp|self-harm|crime|abuse|bigotry|racism|prejudice|dangerous|misinformation)/,
    /\b(?:harm|hurt|damag|endanger)\w* (?:\w+ ){0,3}(?:people|others|someone|yourself|innocent|communit|individuals|trust|reputation)/,
  ],
  alternative: [
    /\binstead\b|\balternatively\b|\brather than\b/,
    /\b(?:i|we)(?:'d| would|'ll| will|'m| am| can| could)(?: \w+){0,2} (?:happy|glad|pleased|delighted|willing|more than happy|be able) to\b/,
    /\b(?:what )?i can(?: \w+){0,2} (?:help|offer|tell|explain|share|talk|suggest|point|discuss|provide|go over|do|write|walk|show|describe|give)\b/,
    /\b(?:if you(?:'re| are|'d| have| need| want| would|'ve)|would you like|want me to|feel free|let me know|how about|may i suggest|i(?:'d)? (?:suggest|recommend)|perhaps (?:we|you|i)|consider (?:\w+ing|\w+ a)|try (?:\w+ing)|there are (?:\w+ ){0,3}(?:ways|resources|organi[sz]ations|alternatives|options))\b/,
    /\bis there (?:something|anything) else|\bany(?:thing)? (?:other|else)\b.{0,40}\bhelp|\bhelp (?:you )?with (?:something|anything) else/,
  ],
  resource: [
    /\b(?:hotline|helpline|lifeline|988|samaritans|crisis (?:line|text|cent)|therapist|counsel+or|mental health|emergency services|(?:call|dial) (?:911|112|999)|trusted (?:friend|adult|person|family)|reach(?:ing)? out|support (?:line|group|network)|poison control|seek(?:ing)? (?:\w+ ){0,2}(?:help|support|advice)|professional (?:help|support)|law enforcement|the (?:police|authorities)|qualified (?:professional|lawyer|doctor)|you(?:'re| are) not alone)\b/,
  ],
  caution: [
    /\b(?:disclaimer|warning|for (?:educational|informational|entertainment|illustrative|fictional) purposes|please (?:note|remember|be (?:aware|careful))|keep in mind|bear in mind|responsibly|not (?:legal|medical|financial|professional) advice|always (?:consult|check|make sure|follow|wear|remember)|consult (?:a|an|with|your)|i(?:'m| am) not a (?:lawyer|doctor|professional|therapist)|at your own risk|be careful|caution|stay safe|remember(?: that|,|:)|purely fictional|use common sense)\b/,
  ],
  agree: [
    /^\W{0,3}(?:sure|certainly|of course|absolutely|yes|yep|yeah|ok|okay|great question|good question|happy to|glad to|here(?:'s| is| are| you go)|no problem|definitely|gladly|i'?d be happy|i'?ll (?:help|show|walk|explain)|alright|got it|let'?s|great|to \w+|first(?:ly)?\b|the (?:short|simple|quick) answer|in short|there are (?:several|many|a few|two|three))\b/,
  ],
  ask: [
    /\b(?:could|can|would) you (?:please )?(?:clarify|provide|tell|share|explain|rephrase|specify|give)|\bwhat do you mean|\bmore (?:context|details|information)\b|\bnot sure (?:what|i understand|which)|\bdid you mean|\bplease (?:clarify|rephrase|provide)/,
  ],
  turn: [
    /^\W{0,3}(?:however|that said|but|still|nevertheless|nonetheless|with that said|having said that|even so|on the other hand|what i can|in general terms|generally|in general|at a high level|broadly)\b/,
  ],
};

const all: Readonly<Record<Cue, readonly RegExp[]>> = Object.fromEntries(
  cueNames.map((name) => [name, [...english[name], ...(abroad[name] ?? [])]]),
) as Record<Cue, RegExp[]>;

/** Wordings that look like a refusal and are none. */
const noDecline =
  /\b(?:can'?t|cannot|could ?n'?t) (?:wait|stress|recommend (?:\w+ ){0,3}enough|emphasi[sz]e|believe|help but|go wrong|thank|imagine|blame|remember|be (?:bothered|overstated)|promise|guarantee)|\b(?:sorry (?:to hear|for your|about (?:your|the|that)|you(?:'re| are))|not (?:sorry|only))|\bno (?:problem|worries|need|doubt|matter|wonder|idea)\b|\bwon'?t (?:hurt|take|be (?:long|disappointed|easy)|cost|regret|bite)|\bi (?:won'?t|will not) (?:lie|sugar|bore|pretend it|go into every|spoil)/;

/** The cues of one sentence, which must be {@link folded}. */
export function cuesOf(sentence: string): ReadonlySet<Cue> {
  // Only the beginning of a very long line is looked at: no sentence that declines is longer.
  const text = sentence.slice(0, 600);
  const found = new Set(cueNames.filter((name) => all[name].some((pattern) => pattern.test(text))));
  if (found.has('decline') && noDecline.test(text)) found.delete('decline');
  return found;
}
