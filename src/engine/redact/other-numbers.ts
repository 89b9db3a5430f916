/** What says that a number is not a telephone number: the word before it, or the unit behind it. */

/** Nouns whose number is of an order, a paper or a thing, by language. */
const numberedThings = [
  // English
  'versions?|orders?|purchase order|invoice|ticket|tracking|reference|ref|serial|sku|ean|isbn|quote|policy|contract|transaction|booking|reservation|(?:part|item|article|case|lot|batch|model|customer)(?= (?:no|number|nr|id|code))',
  // German
  'bestellung|auftrag|rechnung|lieferschein|aktenzeichen|sendung|angebot|charge|(?:bestell|auftrags|rechnungs|kunden|artikel|serien|vertrags|sendungs|vorgangs|teile|policen|fall|material)-?(?:nummer|nr)',
  // Spanish
  'versi[óo]n|pedido|compra|factura|albar[áa]n|expediente|referencia|seguimiento|serie|lote|incidencia|reserva|presupuesto|contrato|p[óo]liza|art[íi]culo|c[óo]digo|transacci[óo]n|operaci[óo]n|protocolo|producto|modelo|pieza|sorteo|gu[íi]a|env[íi]o|solicitud|tr[áa]mite|radicado|(?:n[úu]mero|no|n\\.o|c[óo]digo) de (?:cliente|socio|usuario)',
  // Italian
  'versione|ordine|fattura|pratica|rif|riferimento|spedizione|lotto|matricola|articolo|codice|preventivo|segnalazione|contratto|polizza|pezzo|modello|estrazione|transazione|prodotto|bolla|ddt|prenotazione|commessa|fascicolo|numero cliente',
  // Portuguese
  'vers[ãa]o|encomenda|fatura|nota fiscal|rastreio|rastreamento|refer[êe]ncia|processo|s[ée]rie|boleto|or[çc]amento|pe[çc]a|artigo|sorteio|ap[óo]lice|transa[çc][ãa]o|produto|guia|chamado|n[úu]mero (?:de|do) cliente',
  // Dutch
  'versie|bestelling|order|factuur|dossier|referentie|artikel|partij|polis|offerte|onderdeel|trekking|transactie|pakket|zending|contract|reservering|kenmerk|melding|(?:bestel|order|factuur|zaak|dossier|referentie|artikel|serie|partij|lot|klant|polis|offerte|onderdeel|transactie|zending|contract|reserverings|lid|ticket|batch|pakket|product|model)-?(?:nummer|nr|code)',
].join('|');

/** A number of which these words speak is a telephone number all the same: "the telephone number for the order is". */
const speaksOfPhone =
  '(?:(?:mi|mio|meu|mijn|my) (?:n[úu]mero|nummer|number)|phone(?: number)?|tel[ée]fono?|m[óo]vil|celular|cellulare|telem[óo]vel|telefoon(?:nummer)?|telefon(?:nummer)?|gsm)(?: (?:del?|da|do|di|dell|voor|van|for|of|f[üu]r|per|para|zu[rm]?)){1,2}(?: \\p{L}{1,5})? ';

/** Must stand right before the number; only words for "number" and "is" may come in between. */
export const beforeOtherNumber = new RegExp(
  `(?<![\\p{L}])(?<!${speaksOfPhone})(?:${numberedThings})(?:[\\s:#="]|(?<!\\p{L})(?:n\\.o|n[or]?|num|n[úu]m|n[úu]mero|nummer|number|code|id|is|es|[èé]|ist|lautet|de[lr]?|d[aoie]|compra|producto|prodotto|produto|con|com|met)(?!\\p{L})|(?<=(?<!\\p{L})(?:n\\.?[or]?|n[úu]m|ref|rif))\\.|-(?= )){0,12}$`,
  'iu',
);

/** A number with one of these behind it is a sum, a measure or a count. */
export const unitBehind =
  '(?! ?(?:euros?|EUR|USD|BRL|€|\\$|%|d[óo]lares|dollari|dollar|pesos|reais|soles|kg|km|metros|metri|meter|millones|milioni|milh[õo]es|miljoen|unidad|unidade|pezzi|stuks|personas|persone|pessoas|personen|habitantes|abitanti|inwoners|puntos|punti|pontos|punten))';
