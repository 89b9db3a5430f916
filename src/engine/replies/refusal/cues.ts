/**
 * What a sentence of a reply does, told by its wording in nine languages. All patterns run on lower-cased text without
 * accents ({@link folded}); every repetition in them is bounded. A cue is only a hint: the fitted model in `model.ts`
 * weighs where in the reply it stands and what else is there.
 */
import { type Cue, cueNames } from './cue-names.ts';
import { abroad } from './cues-abroad.ts';
import { broad } from './cues-broad.ts';
import { harmlessly } from './harmless.ts';

const cannot =
  "(?:can'?t|can ?not|can never|could ?n[o']?t|won'?t|will not|will never|shall not|(?:'m|am|are|'re) (?:un(?:able|willing)|not (?:able|going|willing|allowed|permitted|prepared|in a position|at liberty|authori[sz]ed|equipped))(?: to)?|(?:'d|would) (?:rather|prefer) not(?: to)?|refuse to|decline to|must not|may not|do not want to|don'?t want to|ain'?t|do not (?=(?:provide|engage|support|create|generate|assist|help|write|produce|condone|share|give|discuss|offer|endorse|touch|do)\\b)|don'?t (?=(?:provide|engage|support|create|generate|assist|help|write|produce|condone|share|give|discuss|offer|endorse|touch|do)\\b))";

const english: Readonly<Partial<Record<Cue, readonly RegExp[]>>> = {
  decline: [
    new RegExp(
      `\\b(?:i|we|this assistant|even in character i|the assistant|my guidelines|i'm sorry)(?: (?:really|truly|also|simply|just|respectfully|therefore|must|still|certainly|definitely|absolutely|sadly|personally|in good conscience)){0,2}(?: |(?='))${cannot}${harmlessly}`,
    ),
    new RegExp(
      `(?:sorry|apologi[sz]e|apologies|regret|afraid|unfortunately),? (?:but |that )?(?:i |we )?${cannot}${harmlessly}`,
    ),
    /^\W{0,3}(?:(?:i|we) )?(?:can'?t|cannot|won'?t|not|ain'?t|unable to)(?: be)? (?:do|doing|help|helping|assist\w*|answer\w*|comply\w*|touch\w*|talk\w*|going|gonna|happening|discuss\w*|that|it)\b/,
    /\b(?:can'?t|cannot|can not|could not|won'?t|will not) be (?:provided|completed|processed|answered|given|discussed|shared|supported|fulfilled|generated|done by|handled|displayed)\b/,
    /\b(?:that|this|it|which|here|\w+)(?:'s| is|'s just| is simply)(?: simply| just| really)? ?(?:n'?t|not|nothing|never) (?:something|a (?:path|topic|subject|road|place|thing|request)|anything|one)(?: that| which)? (?:i|we|this)\b/,
    /\bisn'?t (?:something|anything|a (?:path|topic|subject|road|thing)) (?:that )?(?:i|we)\b|\bnot something (?:that )?(?:i|we)\b|\bnothing (?:that )?i(?:'ll| will|'m)\b/,
    /\b(?:off (?:the table|limits|the menu)|out of the question|a hard (?:no|pass)|no[- ]go|hard no|ruled out|not (?:up for discussion|happening|gonna|an option)|no can do|not (?:here|available|supported|permitted|allowed|possible|able) (?:to|for|here|under|by|in)\b)/,
    /\b(?:outside|beyond|not within|falls? outside)(?: of)? (?:what|my|the scope|the bounds|our|this service)/,
    /\b(?:i|we)(?:'ll|'m| am| will|'d| would| must| shall| do| have to| need to| 'll have to)?(?: going to| have to| need to| \w+ly| therefore| also| must| obliged to){0,3} (?:declin\w*|refus\w*|abstain\w*|refrain\w*|pass on|opt out|say(?:ing)? no|draw\w* (?:a|the) line|step\w* (?:back|away|out)|stop\w* (?:you )?(?:right )?(?:here|there|this)|end here|leave (?:it|that|this|out)|skip\w*|object)\b/,
    /\b(?:i|we) (?:do not|don'?t|would(?: not|n'?t)|'d not|am not|'m not)(?: \w+ly| be)? (?:feel(?:ing)? (?:right|comfortable|able|at ease)|comfortable|condone|approve|approving|think (?:i|it|that) (?:should|is (?:right|wise|appropriate)|would be (?:right|wise|appropriate)))/,
    /\b(?:request|prompt|message|content|query|question|topic|response|conversation|answer)s? (?:\w+ ){0,6}(?:declined|denied|refused|rejected|blocked|flagged|restricted|filtered|not (?:allowed|permitted|supported|available))/,
    /^\W{0,3}(?:no(?=[.!]|$|, (?:i|we|that|not|sorry|absolutely|thank)\b)|(?:nope|nah|absolutely not|not happening|no way|hard pass|pass|lol no)\b(?=[.,!;: —–-]|$))/,
    /\b(?:let'?s|let us) (?:not|talk about something|change the (?:subject|topic)|keep (?:it|this|things) (?:clean|safe|legal|respectful)|pick another|stop)/,
    /\bi'?d (?:rather|prefer) (?:not|we|that we|to (?:talk|discuss|help))/,
    /\b(?:no|not any) (?:assistance|help|support|advice|instructions|information|guidance) (?:\w+ ){0,2}(?:is|will|can|for|on|with|from me|available)/,
    /\bnot (?:comfortable|going there)\b|\bhave to stop\b|\bmust stop\b|\bcount me out\b|\bi shall (?:not|offer nothing)\b|\bin support of it\b|\bimproper for me\b|\bdo(?:es)? not (?:permit|allow) me\b|\b(?:keep|leave|left) (?:\w+ ){0,3}out\b.{0,40}\b(?:purpose|this|because|since|as)\b|\bomitted on purpose\b/,
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
    /\b(?:guidelines|polic(?:y|ies)|programming|principles|rules|terms|training|law and conscience)\b(?: \w+){0,2} (?:prevent|prohibit|forbid|do(?:es)?(?: not|n'?t)|bar|require|stop)/,
    /\b(?:would|it'?d) (?:also )?(?:violate|contravene|breach|conflict|go against|be (?:a violation|against))\b|\bincompatible with\b/,
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
    /\bno (?:scientific |factual |real |legitimate )?(?:basis|evidence for|truth|reason)\b|\b(?:nobody|no one|no human) (?:deserves?|should)\b|\b(?:false|debunked|baseless) (?:claim|premise|idea|belief)|\b(?:premise|claim|idea) (?:of this question |itself )?is (?:false|harmful|wrong|sexist|racist)|\bcost lives\b|\bat risk\b|\bright to\b|\bsame (?:rights|worth)\b/,
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
  empathy: [
    /\b(?:i'?m|i am) (?:so |really |very |truly |deeply )?(?:sorry|glad|grateful) (?:that |to hear )?(?:you|about|for your)|\b(?:you(?:'re| are)|don'?t have to)(?: \w+){0,3} alone\b|\bi (?:hear|understand|see|get|know|can (?:see|tell|hear|understand|imagine))(?: \w+)? (?:that|you|how|why|the|your|this)\b|\bthank you for (?:telling|trusting|sharing|reaching|being open|opening)|\b(?:sounds|must be|that'?s) (?:like|really|incredibly|so|very)? ?(?:a |an )?(?:hard|tough|painful|difficult|overwhelming|a lot)|\bi care (?:about|for)\b|\bmeans a lot\b|\bworr(?:y|ies|ied) (?:me|about you)\b/,
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
    /^\W{0,3}(?:however|that said|but|still|nevertheless|nonetheless|with that said|having said that|even so|on the other hand|what i can|in general terms|generally|in general|at a high level|broadly|beyond that|within that|for the re(?:st|mainder)|the (?:rest|other|following)|as (?:for )?context|here(?:'s| is| are)|some (?:context|background))\b|\b(?:that (?:being )?said|nevertheless|nonetheless|general information|(?:in|on) general|what i can (?:say|do|share|offer|tell)|able to share|can (?:still )?share|is publicly known|(?:some|for) (?:context|background)|here(?:'s| is| are) (?:some|what|how|a few))\b|\bhowever\b/,
  ],
};

const all: Readonly<Record<Cue, readonly RegExp[]>> = Object.fromEntries(
  cueNames.map((name) => [name, [...(english[name] ?? []), ...(abroad[name] ?? []), ...(broad[name] ?? [])]]),
) as Record<Cue, RegExp[]>;

/** The cues of one sentence, which must be {@link folded}. */
export function cuesOf(sentence: string): ReadonlySet<Cue> {
  // Only the beginning of a very long line is looked at: no sentence that declines is longer.
  const text = sentence.slice(0, 600);
  return new Set(cueNames.filter((name) => all[name].some((pattern) => pattern.test(text))));
}
