/**
 * Cues that follow the grammar of declining rather than known phrases: whoever speaks denies an act of their own, leaves
 * something out, or says that something is not given. Each is weaker than a phrase of `cues.ts`; the fitted model weighs it.
 */
import type { Cue } from './cue-names.ts';
import { harmlessly } from './harmless.ts';

/** What people deny of themselves without declining anything. */
const harmlessVerbs =
  '(?! (?:\\w+ly )?(?:know|think|believe|remember|have|see|mean|mind|care|expect|doubt|need|understand|recall|find|feel|sure|certain|aware|agree|like|miss|wait|recommend|blame|lie|own|eat|sleep))';

export const broad: Readonly<Partial<Record<Cue, readonly RegExp[]>>> = {
  selfNegation: [
    new RegExp(
      `\\b(?:i|we)(?: (?:really|just|simply|also|therefore|still)){0,1} ?(?:do not|don'?t|won'?t|will not|will never|would not|wouldn'?t|am not|'m not|'ll not|'d not|have not|haven'?t|cannot|can'?t|shall not|should not|shouldn'?t|never)${harmlessVerbs}${harmlessly}`,
    ),
    /\b(?:i'm|i am|we're) not (?:going to|gonna|telling|giving|laying|adding|naming|listing|finishing|playing|doing|having|helping|making)\b/,
    /\b(?:you won'?t|you will not|nobody will) (?:get|find|hear|have|see)\b.{0,40}\b(?:from me|here|by me)\b/,
    /\b(?:with|by|from|of) (?:me|us)[.!,;]?$|\bno (?:part|help) (?:in|from|by)\b|\bwithout me\b|\bcount me out\b|\bnot (?:by|from|with) me\b/,
    // German
    /\b(?:ich|wir)\b(?: \S+){0,7}? (?:nicht|nichts|keine?[nrs]?)\b|\b(?:mache|helfe|nenne|gebe|schreibe|unterstutze|sage|verrate|bekommst|liefere) (?:ich|du|dir)(?: \S+){0,7}? (?:nicht|nichts|keine?[nrs]?)\b|\bvon mir nicht\b|\bohne mich\b/,
    // French
    /\bje ne? ?(?:\S+ ){1,4}(?:pas|point|jamais|rien|aucun\w*)\b|\bje n'\S+ (?:\S+ )?(?:pas|rien|jamais|aucun\w*)\b|\bsans moi\b/,
    // Spanish, Portuguese, Italian: the first person is in the verb
    /\bno (?:te |le |lo |la |les |os )?(?:voy|hago|doy|escribo|participo|ayudo|comparto|cuentes|digo|dire|enseno|daré|hare|explico)\b|\bsin mi\b/,
    /\bnao (?:te |lhe |o |a )?(?:vou|faco|dou|escrevo|participo|ajudo|compartilho|conte|digo|direi|ensino|respondo|explico)\b|\bsem mim\b|\b(?:isso|isto) (?:eu )?nao\b/,
    /\bnon (?:ti |vi |lo |la |le |li )?(?:do|scrivo|aiuto|dico|faccio|partecipo|condivido|spiego|avrai|insegno|diro|daro|scrivero|rispondo)\b|\bsenza di me\b/,
    // Dutch
    /\b(?:ik|we|wij)\b(?: \S+){0,7}? (?:niet|niets|geen)\b|\b(?:deel|help|geef|schrijf|zeg|noem|vertel|doe|maak) ik(?: \S+){0,7}? (?:niet|niets|geen)\b/,
    // Russian
    /(?:^|[\s,])не (?:помогу|дам|скажу|назову|напишу|пишу|помогаю|даю|расскажу|подскажу|поделюсь|участвую|стану|буду)/u,
    // Japanese
    /(?:しません|いたしません|致しません|控えます|控えさせ|できない内容|やめておきます|お教えでき|行いません|書きません)/u,
  ],
  leavesOut: [
    /\b(?:leav\w+|left|keep\w*|kept|stay\w*|stays?) (?:\w+ ){0,5}(?:out|off|aside|alone|private|confidential|to myself|unsaid|away|locked|closed|with (?:me|us))\b/,
    /\b(?:skip\w*|omit\w*|pass(?:ing)? on|hold(?:ing)? back|withh(?:o|e)ld\w*|withdraw\w*|steer\w* clear|stop\w* (?:at|here|there|now|right here|this)|end(?:s|ing)? (?:here|there|where)|draw\w* (?:a|the) line|even \w+ has a line|on the other side of it)\b/,
    /^\W{0,3}(?:declined|refused|pass|denied|rejected|not provided|blocked|omitted|skipped|no comment)\b[.! ]*$/,
    /^\W{0,3}[❌🚫⛔🛑🙅]/u,
    /\b(?:i'?m|im|i am) (?:gonna |going to )?(?:out|pass|skip)\b|\bhard (?:no|pass)\b|\brather not\b|\bpush back\b|\bnever,|\bfile stays\b/,
    /\b(?:lasse?|lass) (?:ich|das|es|die|den)(?: \S+){0,4} (?:aus|weg|sein|bleiben)\b|\b(?:uberspringe|auslasse|weglasse|passe ich|halte mich zuruck)\b/,
    /\bm'(?:arrete|abstiens|en tiens|abstenir)\b|\bm'arreter\b|\bprefere m'|\bpasse mon tour\b|\bm'en tiendrai\b/,
    /\b(?:lo|la|eso|esto)? ?dejo (?:fuera|aparte|a un lado)\b|\bfuera de (?:cuestion|lugar)\b|\bprefiero (?:no|dejarlo)|\bhasta aqui\b/,
    /\bmi fermo\b|\blascio (?:da parte|fuori|perdere)\b|\bpreferisco (?:non|fermarmi)|\bfuori discussione\b|\bresta(?:no)? privat/,
    /\b(?:fica|deixo|fora) (?:de )?(?:fora|questao|de lado)\b|\bprefiro (?:nao|parar)/,
    /\b(?:laat|sla) ik (?:\S+ ){0,3}(?:zitten|over|weg|achterwege|buiten)\b|\blaat ik\b/,
    /(?:промолчу|воздержусь|здесь я пас|я пас|опущу|пропущу|обойду)/u,
    /(?:控え|遠慮|差し控|伏せ|省か|省きます|触れません)/u,
  ],
  withheld: [
    /\b(?:is|are|was|were|will be|can|may|could|has been|have been)(?:n'?t| not| never| only be)(?: \w+){0,2} (?:shared|provided|given|handed|disclosed|offered|placed|included|drafted|presented|published|listed|sold|released|revealed|appear|described|made|made up|done|written|posted|followed|processed|executed)\b/,
    /\b(?:isn'?t|aren'?t|not|never|won'?t be|will not be|never) (?:\w+ ){0,2}(?:one of them|going to appear|something|anything|a thing|going to happen|part of|extend to|what i)\b/,
    /\b(?:is|are)(?: \w+){0,2} (?:not drafted|confidential|left out|omitted|off limits|outside of|private|restricted|cancelled|void|returned unchanged)\b|\boutside of what\b|\bmay not recommend\b|\bnot permitted\b|\bkeeps me from\b|\bnot (?:posted|drafted|provided|included|followed)\b/,
    /\b(?:se communique pas|wird nicht|werden nicht|no se (?:comparte|facilita|comunica)|nao se|non si|wordt niet|worden niet)\b/,
  ],
};
