/** Names behind the words that introduce, address or sign in Spanish, Italian, Portuguese and Dutch. */
import type { Shape } from './finding.ts';
import { anyCase, latin } from './pattern-parts.ts';

/** Words for people, papers and greetings that stand where a name could: no names. */
const notNames =
  '(?:Señor(?:a|es|as|ita)?|Sr(?:a|es|ta)?|Signor(?:a|e|i|ina)?|Sig(?:ra|na|g)?|Senhor(?:a|es)?|Heer|Heren|Mevrouw|Meneer|Dhr|Mevr|Client[ei]s?|Klant(?:en)?|Collega|Colleghi|Colegas?|Amig[oa]s?|Amic[oi]|Equipo|Equipe|Team|Tod[oa]s?|Tutti|Allen|Premium|Autónom[oa]|Felice|Vriendelijke|Hartelijke|Nueva?|Nuov[oa]|Nov[oa]|Nieuwe|El|La|Los|Las|Il|Lo|Gli|Os?|As?|De|Het|Een|Un|Una|Uma|Um|En|In|Em|Per|Por|Para|Con|Com|Van|Desde|Dal|Uit|Gracias|Grazie|Obrigad[oa]|Bedankt|Dank|Por|Lunes|Martes|Lunedì|Martedì|Segunda|Maandag|Dinsdag|Enero|Gennaio|Janeiro|Januari|NIF|DNI|NIE|CPF|CF|BSN|IBAN|RUT|CURP|Tel|Banco|Banca|Bank|Grupo|Gruppo|Groep|Hotel|Empresa|Azienda|Servi[czç]i?o|Ufficio|Departamento|Administra[cç]i?[óã]n?o?|Direzione|Gerencia|Secretar[íi]a|Redac[ct]i[óe]n?|Tienda|Negozio|Loja|Papelaria|Librer[íi]a|Panader[íi]a|\\p{Lu}\\p{L}{2,20}(?:administratie|afdeling|dienst|service|bureau)|Klantenservice|Afdeling|Español\\p{L}*|Italian[oa]|Ingl[eé]s[ei]?|Inglês|Português|Portugu[eé]s|Nederlands?|Frans|Duits|Engels|Franc[eé]s[ei]?|Pendiente|Desconocid[oa]|Desconhecid[oa]|Sconosciut[oa]|Ningun[oa]|Nessuno|Nenhum|An[óoô]nim[oa]|Onbekend|Geen|Anoniem|Ingenier\\p{L}+|Ingegner\\p{L}+|Engenheir\\p{L}+|Responsab\\p{L}+|Respons[áa]vel|Dire[ct]+t?or\\p{L}*|Gerente|Jef[ea]|Capo|Chefe|Abogad[oa]|Avvocato|Advogad[oa]|M[ée]dic[oa]|Estudiante|Studente|Estudante|Profes+or\\p{L}*|\\p{Lu}\\p{L}*(?:leider|manager|directeur|adviseur|ontwikkelaar|medewerker|verpleegkundige|leraar|docent|student))(?![\\p{L}])';
/** Labels of the next field of a form, which end a name. */
const nextLabel =
  '(?:Apellidos?|Nombre|Cognome|Nome|Sobrenome|Apelido|Achternaam|Voornaam|Naam|Direcci[óo]n|Indirizzo|Morada|Endereço|Adres|Tel[ée]fono|Telefono|Telefone|Telefoon|Email|Fecha|Data|Geboortedatum)';
const word = `(?!${notNames})(?!${nextLabel} ?[:=])\\p{Lu}(?:[\\p{L}']{1,25}(?:-\\p{Lu}[\\p{L}]{1,25})?|\\.)`;
const particle =
  "(?:(?:van|von|de|der|den|di|da|do|das|dos|del|dela|la|las|los|le|ter|ten|te|y|e|i|'t|in|op) ){0,3}";
const ahead =
  '(?:(?:[Aa]vv|[Dd]ott(?:\\.ssa)?|[Ii]ng|[Mm]r|[Dd]rs|[Dd]ra?|[Ii]r|[Pp]rof|[Aa]rch|[Gg]eom|[Ll]ic|[Ee]ng)\\.(?:ssa)? ){0,2}';
const nameOf = (least: number, most: number) =>
  `${ahead}${word}(?: ${particle}${word}){${least - 1},${most - 1}}`;
/** In a field a name may begin with a particle; elsewhere "from Milan" begins so. */
const inField = `(?:(?:van|de|den|der|di|da|do|dos|ter|ten|'t) ){0,2}${nameOf(1, 5)}`;

const called = (type: string, before: string, names: string, behind = ''): Shape => ({
  kind: 'name',
  type,
  shape: new RegExp(`(?<![${latin}'-])(?:${before})(?<value>${names})${behind}`, 'dgu'),
});

/** What can only introduce a name. */
const introductions = anyCase(
  [
    'me llamo|mi nombre (?:completo )?es|(?:se|te) llama|le (?:habla|escribe|saluda)|(?:mi|su) nombre:',
    'mi chiamo|il mio nome è|si chiama',
    'chamo-me|me chamo|meu nome (?:completo )?[ée]|chama-se|se chama|aqui (?:é|fala)(?: o| a)?',
    'mijn naam is|ik heet|(?:zij|hij|ze|dochter|zoon|man|vrouw|moeder|vader) heet|u spreekt met|je spreekt met|spreek ik met',
  ].join('|'),
);
/** What can introduce a trade or an origin as well, so that two names must follow, or a greeting must come first. */
const weakIntroductions =
  "(?:soy|sono|sou|ik ben|eu sou)(?: (?:el|la|il|lo|o|a|l'))?(?: (?:mevrouw|meneer|signora|signor|señora|señor|senhora|senhor))?";
const greetings = anyCase(
  'hola|buen[oa]s(?: (?:d[íi]as|tardes|noches))?|ciao|salve|buongiorno|buonasera|ol[áa]|oi|bom dia|boa (?:tarde|noite)|hallo|hoi|hey|goedemorgen|goedemiddag|goedenavond|goedendag|dag',
);
const titles =
  '[Ss]r\\.?|[Ss]ra\\.?|[Ss]rta\\.?|[Ss]eñor(?:a|ita)?|[Ss]ig\\.?(?:ra|na)?\\.?|[Ss]ignor(?:a|ina|e)?|[Dd]ott(?:\\.ssa)?\\.?|[Dd]ottor(?:e|essa)|[Aa]vv\\.|[Dd]ra?\\.|[Dd]octora?|[Ss]enhora?|[Ee]xm[oa]\\.(?: [Ss]ra?\\.)?|[Dd]hr\\.?|[Dd]e heer|[Hh]eer|[Mm]eneer|[Mm]evr(?:ouw|\\.)?|[Mm]w\\.?|[Mm]ej\\.?|[Dd]rs\\.|[Ii]r\\.|[Ll]icenciad[oa]|[Ii]ng\\.|[Ee]ng\\.ª?|[Mm]aestr[oa]';
const labels = anyCase(
  [
    'nombre(?: y apellidos?| completo)?|apellidos?|titular|cliente|clienta|destinatari[oa]|remitente|firmado(?: por)?|fdo\\.|paciente|contacto(?: de emergencia)?|solicitante|beneficiari[oa]|asegurad[oa]|inquilin[oa]|emplead[oa]|alumn[oa]|datos',
    'nome(?: e cognome| completo)?|cognome|intestatari[oa]|mittente|firmato|paziente|contatto(?: di emergenza)?|assistit[oa]|richiedente|dipendente|referente|dati',
    'sobrenome|apelido|utente|remetente|destinatári[oa]|assinado(?: por)?|requerente|segurad[oa]|beneficiári[oa]|contato(?: de emergência)?|responsável|dados',
    'naam|voornaam|achternaam|voor- en achternaam|klant|ontvanger|afzender|contactpersoon|ondertekend(?: door)?|pati[ëe]nte?|rekeninghouder|verzekerde|aanvrager|huurder|werknemer|gegevens',
  ].join('|'),
);
/** Nouns with a name right behind them. */
const persons = anyCase(
  '(?:la|el|al|del|le|il|o|a|de|het) (?:paciente|paziente|utente|pati[ëe]nte?|client[ea]|cliente|clienta|cliënte?|inquilin[oa]|conduttore|conduttrice|alumn[oa]|emplead[oa]|doente|segurad[oa]|bewoner|huurder)|(?:il|la) sottoscritt[oa]|(?:el|la) abajo firmante|[oa] abaixo assinad[oa]|ondergetekende|a nombre de|a nome(?: di)?|em nome d[eoa]|(?:op|ten) (?:naam|name) van|do(?:n|ña|na)|d(?:ña|\\.ª|\\.)',
);
const closings = anyCase(
  [
    '(?:muy )?atentamente|(?:un |reciba un |recibe un )?(?:cordial |afectuoso )?saludo(?: cordial)?|(?:muchos )?saludos(?: cordiales)?|cordialmente|un (?:fuerte )?abrazo|abrazos|besos',
    '(?:cordiali |distinti |cari |i migliori |tanti )?saluti|un (?:caro |cordiale )?saluto|in fede|un abbraccio',
    'atenciosamente|att|(?:com os )?(?:melhores |meus )?cumprimentos|(?:um )?abraços?|beijinhos|respeitosamente',
    '(?:met )?(?:vriendelijke |hartelijke )?groet(?:en|jes)?|mvg|m\\.v\\.g\\.|hoogachtend|liefs',
  ].join('|'),
);
const thanks = anyCase(
  '(?:muchas )?gracias|grazie(?: mille)?|(?:muito )?obrigad[oa]|(?:alvast )?bedankt|met dank|dank (?:u|je)(?: wel)?',
);
const salutations =
  '[Qq]uerid[oa]|[Ee]stimad[oa]|[Aa]preciad[oa]|[Cc]ar[oa]|[Gg]entile|[Ee]gregi[oa]|[Pp]rezad[oa]|[Gg]eachte|[Bb]este|[Ll]ieve';

export const namesByLanguage: readonly Shape[] = [
  called('introduced', `(?:${introductions})\\s`, nameOf(1, 4)),
  called('introduced', `${anyCase(weakIntroductions)}\\s`, nameOf(2, 4)),
  called('introduced', `(?:${greetings})[\\s,.!]{1,5}(?:${anyCase(weakIntroductions)})\\s`, nameOf(1, 4)),
  // "Here speaks": the verb begins the sentence.
  called('introduced', `(?:Habla|Parla|Fala|Aquí)(?: (?:con|o|a))?\\s`, nameOf(2, 4)),
  called('introduced', 'Met ', nameOf(1, 4), '(?=, (?:ik|wij|u|spreekt)|\\.? (?:hier|aan de lijn))'),
  called('titled', `(?:${titles})\\s`, `(?:(?:van|ter|ten|den) (?:de[nr]? )?)?${nameOf(1, 4)}`),
  called('field', `(?:${labels}|${labels.toUpperCase()})"?\\s?[:=]\\s?"?`, inField),
  called('named', `(?:${persons})\\s`, nameOf(2, 5)),
  called('addressed', `(?:${salutations})\\s`, nameOf(1, 3), '(?=\\s?(?:[,:;!.\\n]|$))'),
  called('signed', `(?:${closings})[,.!]?\\s{1,3}`, nameOf(1, 4)),
  called('signed', `(?:${thanks})[,.!]\\s{1,3}`, nameOf(2, 4), '(?=\\s{0,2}(?:\\n|$))'),
];
