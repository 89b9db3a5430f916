import pdfmake from 'pdfmake';
import { serveTask } from '#base/processes/serve-task.ts';
import type { ReportDocument } from '../document.ts';
import { definitionOf } from './definition.ts';
import { FontBook, fontDescriptors, fontPaths, unifontName } from './fonts.ts';
import { TextWriter } from './writer.ts';

/** The worker thread that renders one PDF: it receives a document, returns the bytes, and opens only our fonts. */
async function render(document: ReportDocument): Promise<Uint8Array<ArrayBuffer>> {
  const book = new FontBook();
  const definition = definitionOf(document, new TextWriter(book));
  const { Unifont, ...ownFonts } = fontDescriptors;
  if (book.unifont !== undefined) pdfmake.virtualfs.writeFileSync(unifontName, book.unifont);
  pdfmake.setFonts(structuredClone(book.unifont === undefined ? ownFonts : { ...ownFonts, Unifont }));
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy((path) => fontPaths.has(path));
  return new Uint8Array(await pdfmake.createPdf(definition).getBuffer());
}

await serveTask(render);
