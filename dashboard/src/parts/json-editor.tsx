import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef, useState } from 'react';

const look = EditorView.theme({
  '&': { fontSize: '13px', backgroundColor: 'var(--panel)', color: 'var(--ink)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--ink-soft)', border: 'none' },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
]);

const lint = jsonParseLinter();

/** A field for JSON. Tab moves on to the next field, and does not indent. */
export function JsonEditor({
  label,
  initial,
  onChange,
}: {
  label: string;
  /** The initial text; a new value replaces the editor's content. */
  initial: string;
  onChange: (text: string) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const changed = useRef(onChange);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    changed.current = onChange;
  });
  useEffect(() => {
    if (place.current === null) return undefined;
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: initial,
        extensions: [
          lineNumbers(),
          history(),
          bracketMatching(),
          json(),
          syntaxHighlighting(colours),
          look,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label }),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            changed.current(update.state.doc.toString());
            setProblem(lint(update.view)[0]?.message);
          }),
        ],
      }),
    });
    return () => view.destroy();
  }, [initial, label]);
  return (
    <div>
      <div ref={place} className="overflow-hidden rounded-lg border border-line-strong" />
      {problem !== undefined && <p className="mt-1 text-[13px] text-flag">{problem}</p>}
    </div>
  );
}
