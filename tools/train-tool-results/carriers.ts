/** What servers answer, with a place for a text. */

/** Ways in which a text stands among others; `around` are ordinary sentences. */
export const carriers: readonly ((text: string, around: readonly string[]) => string)[] = [
  (text) => text,
  (text) => text,
  (text, [a = '', b = '']) => `${a} ${text} ${b}`,
  (text, [a = '', b = '']) => `${a}\n\n${text}\n\n${b}`,
  (text, [a = '']) => `${a} ${text}`,
  (text, [a = '']) => JSON.stringify({ id: 7, title: a.slice(0, 40), description: `${a} ${text}`, stock: 3 }),
  (text, [a = '', b = '']) => JSON.stringify([{ text: a }, { text }, { text: b }], undefined, 2),
  (text) =>
    JSON.stringify({
      results: [
        { name: 'x1', value: 4 },
        { name: 'x2', note: text },
      ],
      total: 2,
    }),
  (text, [a = '', b = '']) => `<div><p>${a}</p><!-- ${text} --><p>${b}</p></div>`,
  (text, [a = '']) => `<p>${a}</p><span style="display:none">${text}</span>`,
  (text, [a = '', b = '']) => `- ${a}\n- ${text.replaceAll('\n', ' ')}\n- ${b}`,
  (text, [a = '']) => `| a | b |\n|---|---|\n| ${a.slice(0, 30)} | ${text.replaceAll('\n', ' ')} |`,
  (text, [a = '']) => `id,name,note\n1,"${a.slice(0, 30)}","${text.replaceAll('"', '""')}"\n2,"",""`,
  (text) =>
    `2026-01-04T08:00:00Z INFO start\n2026-01-04T08:00:01Z WARN msg="${text}"\n2026-01-04T08:00:03Z INFO end`,
  (text, [a = '']) =>
    `From: a@firm.example\nSubject: ${a.slice(0, 30)}\n\nHello,\n${a}\n\n${text}\n\nBest regards`,
  (text) => `def run(path):\n    # ${text.replaceAll('\n', ' ')}\n    return open(path).read()\n`,
  (text) => `/**\n * ${text.replaceAll('\n', ' ')}\n */\nexport const limit = 10;\n`,
  (text, [a = '', b = '']) => `1. ${a}\n2. ${text.replaceAll('\n', ' ')}\n3. ${b}`,
  (text, [a = '']) => `Error: ${a.slice(0, 60)}. ${text}`,
  (text, [a = '']) => `title: ${a.slice(0, 40)}\nnote: ${JSON.stringify(text)}\n`,
  (text, [a = '', b = '']) =>
    `[10:02] ann: ${a}\n[10:03] guest: ${text.replaceAll('\n', ' ')}\n[10:04] ben: ${b}`,
  (text, [a = '', b = '']) => `> ${a}\n\n${text}\n\n> ${b}`,
  (text, [a = '', b = '']) => `${a}\n${text.replaceAll(/(.{40,60}) /g, '$1\n')}\n${b}`,
  (text, [a = '']) =>
    `HTTP/1.1 200 OK\ncontent-type: text/plain\nx-note: ${text.replaceAll('\n', ' ')}\n\n${a}`,
  (text, [a = '', b = '']) =>
    `commit 4be1f07\nAuthor: r.lind <r@lind.example>\n\n    ${a.slice(0, 50)}\n\n    ${text.replaceAll('\n', '\n    ')}\n\n ${b.slice(0, 20)} | 4 +-`,
  (text, [a = '']) => `+ ${a.slice(0, 70)}\n- ${a.slice(0, 40)}\n+ // ${text.replaceAll('\n', ' ')}`,
  (text, [a = '', b = '']) =>
    `BEGIN:VEVENT\nSUMMARY:${a.slice(0, 40)}\nDESCRIPTION:${text.replaceAll('\n', ' ')}\nLOCATION:${b.slice(0, 30)}\nEND:VEVENT`,
  (text, [a = '', b = '']) =>
    `Transcript\n00:12 A: ${a}\n00:31 B: ${text.replaceAll('\n', ' ')}\n00:52 A: ${b}`,
  (text, [a = '']) => `<item><title>${a.slice(0, 50)}</title><description>${text}</description></item>`,
  (text, [a = '', b = '']) =>
    `Review 1 of 2 (5 stars): ${a}\nReview 2 of 2 (4 stars): ${text.replaceAll('\n', ' ')}\nSeller: ${b.slice(0, 40)}`,
  (text, [a = '']) =>
    JSON.stringify({ status: 'ok', warnings: [text], data: { summary: a.slice(0, 60), pages: 3 } }),
  (text, [a = '']) => JSON.stringify({ error: { code: 409, message: a.slice(0, 50), hint: text } }),
  (text, [a = '', b = '']) =>
    JSON.stringify({
      rows: [
        { id: 1, memo: a },
        { id: 2, memo: `${text} ${b}` },
      ],
      next: null,
    }),
  (text, [a = '', b = '']) => `# ${a.slice(0, 40)}\n\n${b}\n\n## Notes\n\n${text}\n`,
  (text, [a = '', b = '']) => `${a}\n\n---\n${text}\n---\n\n${b}`,
  (text, [a = '']) => `${a} [1]\n\n[1] ${text.replaceAll('\n', ' ')}`,
  (text, [a = '']) =>
    `server:\n  name: ${a.split(' ')[0]}\n  # ${text.replaceAll('\n', ' ')}\n  port: 8080\n`,
  (text, [a = '', b = '']) =>
    `<table><tr><td>${a.slice(0, 40)}</td><td>${text}</td></tr><tr><td>${b.slice(0, 40)}</td><td></td></tr></table>`,
  (text, [a = '']) => `<img src="plan.png" alt="${text.replaceAll('"', "'")}"><p>${a}</p>`,
  (text, [a = '', b = '']) => `${a} (${text.replaceAll('\n', ' ').replace(/[.。]$/, '')}) ${b}`,
  (text) => `id=88231;state=open;customer=Aho;remark=${text.replaceAll('\n', ' ')};due=2026-05-02`,
];
