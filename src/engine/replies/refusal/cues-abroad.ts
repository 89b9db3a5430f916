/** The cues of `cues.ts` in German, French, Spanish, Italian, Portuguese, Dutch, Russian and Japanese. */
import type { Cue } from './cue-names.ts';

/** Patterns run on lower-cased text without accents; umlauts are plain letters there, and ß is ss. */
export const abroad: Readonly<Partial<Record<Cue, readonly RegExp[]>>> = {
  decline: [
    // German
    /\b(?:ich|wir|dabei|damit|dazu|das|hierbei|hier)(?: \S+){0,4}? (?:kann|konnen|darf|werde|mochte|will|muss)(?: \S+){0,9}? (?:nicht|keine?n?|leider|ablehnen|verweigern)\b/,
    /\b(?:kann|darf|werde|mochte) (?:ich|dir|ihnen|euch)(?: \S+){0,7}? (?:nicht|keine?n?|ablehnen)\b/,
    /\b(?:lehne|verweigere) ich\b|\bich (?:lehne|verweigere|helfe|unterstutze|schreibe|gebe)(?: \S+){0,4} (?:ab|nicht|keine?n?)\b|\bnicht in der lage\b|\bnein[,.!]|\bda (?:mache|helfe) ich nicht\b/,
    // French
    /\b(?:je|nous|j')(?: \S+){0,2}? ?ne? ?(?:peux|puis|pourrai|pouvons|suis|vais|veux|souhaite|fournis|dois|saurais|donne|aide|fais)(?: \S+){0,3}? (?:pas|aucun|jamais)\b|\bje (?:refuse|decline|dois (?:refuser|decliner)|prefere ne pas)|\b(?:impossible|hors de question) (?:de|que)\b|\bje regrette, mais\b|^non[,.!]/,
    // Spanish
    /\bno (?:puedo|podemos|podre|voy a|estoy (?:en condiciones|autorizad|dispuest)|me es posible|debo|quiero|es posible (?:que|ayudar)|te voy|le voy|pienso|doy|proporciono)\b|\b(?:me niego|debo (?:rechazar|negarme)|tengo que (?:rechazar|decir que no)|prefiero no|rechazo)\b/,
    // Italian
    /\bnon (?:posso|possiamo|potro|sono (?:in grado|autorizzat|dispost)|mi e possibile|intendo|vado|ti aiutero|fornisco|voglio|me la sento)\b|\b(?:devo (?:rifiutare|declinare)|mi rifiuto|preferisco non|rifiuto)\b/,
    // Portuguese
    /\bnao (?:posso|podemos|vou|poderei|estou (?:autorizad|em condicoes|dispost)|consigo (?:ajudar|fornecer|atender|fazer)|me e possivel|devo|forneco|quero|sou capaz)\b|\b(?:recuso-me|me recuso|preciso (?:recusar|negar)|prefiro nao|tenho de recusar|devo recusar)\b/,
    // Dutch
    /\b(?:ik|we|daar|hier|dat|daarmee|hiermee)(?: \S+){0,3}? (?:kan|mag|zal|ga|wil|moet|kunnen)(?: \S+){0,8}? (?:niet|geen|weigeren|afwijzen)\b|\b(?:kan|mag|ga|wil) ik(?: \S+){0,6}? (?:niet|geen)\b|\bik (?:weiger|help|geef|schrijf|doe)(?: \S+){0,4}(?: niet| geen)?\b(?<=niet|geen|weiger)|\bniet in staat\b|^nee[,.!]/,
    // Russian
    /(?:^|\s)(?:не (?:могу|можем|смогу|буду|стану|имею права|готов|намерен|хочу)|вынужден[аы]? отказать|отказываюсь|мне придется отказать|я против|нет[,.!])/u,
    // Japanese
    /(?:でき(?:ません|かねます|ない)|お手伝いでき|お答えでき|お断り|応じ(?:られ|かね)|致しかねます|いたしかねます|差し控え|控えさせて|ことはありません|提供しません|教えられません|書けません|手助けはしません)/u,
  ],
  inability: [
    /\b(?:habe keinen zugriff|keine informationen uber|n'ai pas acces|no tengo acceso|non ho accesso|nao tenho acesso|heb geen toegang)\b|(?:нет доступа|не располагаю)|(?:情報を持って(?:い)?ません|アクセスでき)/u,
  ],
  apology: [
    /^\W{0,3}(?:es tut mir (?:sehr |wirklich )?leid|tut mir leid|leider|entschuldig|je suis (?:vraiment )?desole|desolee?|malheureusement|je regrette|lo siento|lamento|disculpa|lamentablemente|mi dispiace|purtroppo|spiacente|desculpe|sinto muito|infelizmente|lamento|het spijt me|helaas|sorry|excuses|извините|простите|к сожалению|мне (?:очень )?жаль|申し訳|すみません|恐れ入り|残念ながら|ごめんなさい)/u,
  ],
  policy: [
    /\b(?:richtlinien|regles|politique|directives|politicas|normas|pautas|linee guida|principi|diretrizes|principios|richtlijnen|beleid)\b|(?:правил|политик|принцип)|(?:ガイドライン|ポリシー|規約|方針)/u,
  ],
  identity: [
    /\b(?:als (?:ki|ai|sprachmodell|taalmodel|assistent)|en tant qu(?:'|e )(?:ia|assistant|modele|intelligence)|como (?:ia|modelo|asistente|assistente|inteligencia|uma? (?:ia|modelo|assistente)|un (?:modelo|asistente))|come (?:ia|modello|assistente|intelligenza)|in quanto (?:ia|assistente|modello))\b|(?:как (?:ии|языковая модель|ассистент|искусственный))|(?:aiとして|言語モデル|aiアシスタント)/u,
  ],
  moral: [
    /\b(?:illegal|verboten|strafbar|gefahrlich|unmoralisch|falsch|verletzend|illegale?|dangereux|interdit|contraire a|immoral|nuisible|inacceptable|ilegal|peligros[oa]|delito|danino|incorrecto|inaceptable|illegale|pericolos[oa]|reato|sbagliato|inaccettabile|perigos[oa]|crime|errado|inaceitavel|strafbaar|gevaarlijk|verboden|onethisch|kwetsend)\b|(?:незаконн|преступлен|опасн|неэтичн|вред|недопустим|неприемлем)|(?:違法|犯罪|危険|倫理|許され|有害)/u,
    /\b(?:es ist wichtig|il est (?:important|essentiel)|es (?:importante|fundamental)|e (?:importante|fondamentale|fundamental)|het is belangrijk)\b|(?:важно (?:помнить|понимать|уважать))|(?:大切です|重要です)/u,
  ],
  alternative: [
    /\b(?:stattdessen|gerne? (?:helfe|erklare|unterstutze|kann)|kann ich dir|kann ich ihnen|wenn du (?:mochtest|willst)|falls du|falls sie|en revanche|a la place|je peux (?:vous|t|en|plutot)|si vous (?:voulez|souhaitez)|si tu (?:veux|souhaites)|en su lugar|en cambio|puedo (?:ayudar|explicar|ofrecer|contar)\w*|si (?:quieres|necesitas|desea)|posso (?:invece|aiutar|spiegar|aiuta|explicar|ajud)\w*|invece|se (?:vuoi|hai bisogno|quiser|precisar|desidera)|em vez disso|in plaats daarvan|ik kan (?:je|u) wel|wel (?:kan|wil) ik|graag help ik|als je wilt)\b|(?:вместо этого|могу (?:помочь|рассказать|предложить|объяснить)|если (?:вы )?хотите|если вам)|(?:代わりに|でしたら|お手伝いできます|であれば|お力に)/u,
  ],
  resource: [
    /\b(?:telefonseelsorge|beratungsstelle|notruf|krisentelefon|vertrauensperson|numero d'ecoute|professionnel de sante|aide professionnelle|linea de (?:ayuda|atencion|crisis)|ayuda profesional|emergencias|telefono amico|aiuto professionale|numero verde|cvv|ajuda profissional|linha de apoio|hulplijn|113|huisarts)\b|(?:телефон доверия|горячая линия|специалист|психолог)|(?:相談窓口|専門家|いのちの電話|カウンセラー)/u,
  ],
  caution: [
    /\b(?:bitte beachte|hinweis|achtung|vorsicht|denk daran|attention|veuillez noter|n'oubliez pas|ten en cuenta|recuerda|cuidado|advertencia|attenzione|ricorda|nota bene|atencao|lembre-se|tenha cuidado|let op|houd er rekening|vergeet niet)\b|(?:обратите внимание|помните|осторожно|имейте в виду)|(?:注意|ご留意|お気をつけ)/u,
  ],
  agree: [
    /^\W{0,3}(?:klar|naturlich|gerne?|sicher|selbstverstandlich|hier (?:ist|sind)|bien sur|voici|certainement|avec plaisir|oui|d'accord|claro|por supuesto|aqui (?:tienes|esta)|desde luego|con gusto|certo|certamente|ecco|volentieri|si,|claro que|com certeza|aqui esta|com prazer|natuurlijk|zeker|hier (?:is|zijn)|graag|конечно|вот|да[,.!]|разумеется|もちろん|はい|以下|承知)/u,
  ],
  ask: [
    /\b(?:was meinst du|konntest du|konnten sie|pouvez-vous preciser|peux-tu preciser|podrias (?:aclarar|precisar)|puoi (?:chiarire|precisare)|voce pode (?:esclarecer|explicar)|kun je (?:verduidelijken|toelichten))\b|(?:уточните|что вы имеете)|(?:詳しく教えて|どういう意味)/u,
  ],
  turn: [
    /^\W{0,3}(?:allerdings|aber|dennoch|trotzdem|grundsatzlich|cependant|toutefois|mais|en general|sin embargo|pero|no obstante|en terminos generales|tuttavia|pero|comunque|in generale|no entanto|porem|mas|em geral|maar|toch|echter|in het algemeen|однако|но|тем не менее|ただし|しかし|一般的に|ただ、)/u,
  ],
};
