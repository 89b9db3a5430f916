/**
 * What we use of pdfmake 0.3. The published types bring the browser's globals into server code; these leave out links,
 * images and attachments on purpose, so that no content of a report can ask for them.
 */
declare module 'pdfmake' {
  type Margin = [left: number, top: number, right: number, bottom: number];

  interface Look {
    font?: string;
    fontSize?: number;
    lineHeight?: number;
    bold?: boolean;
    color?: string;
    background?: string;
    alignment?: 'left' | 'right' | 'center';
    preserveLeadingSpaces?: boolean;
    margin?: Margin;
  }

  interface Placing {
    id?: string;
    margin?: Margin;
    pageBreak?: 'before' | 'after';
    unbreakable?: boolean;
    fillColor?: string;
  }

  interface Heading {
    tocItem?: boolean;
    tocStyle?: Look;
    tocMargin?: Margin;
    outline?: boolean;
    outlineText?: string;
    outlineExpanded?: boolean;
    outlineParentId?: string;
  }

  export interface TextContent extends Look, Omit<Placing, 'margin'>, Heading {
    text: string | (Look & { text: string })[];
  }

  interface Table {
    widths: number[];
    body: Content[][];
    headerRows?: number;
    keepWithHeaderRows?: number;
    dontBreakRows?: boolean;
  }

  export interface TableLayout {
    hLineWidth?: (i: number, node: { table: Table }) => number;
    vLineWidth?: (i: number) => number;
    hLineColor?: (i: number) => string;
    vLineColor?: (i: number) => string;
    paddingLeft?: (i: number) => number;
    paddingRight?: (i: number) => number;
    paddingTop?: (i: number) => number;
    paddingBottom?: (i: number) => number;
    fillColor?: string | ((row: number) => string | null);
  }

  interface ListLook extends Placing {
    markerColor?: string;
    lineHeight?: number;
  }

  type Shape =
    | { type: 'rect'; x: number; y: number; w: number; h: number; color: string }
    | { type: 'line'; x1: number; y1: number; x2: number; y2: number; lineWidth: number; lineColor: string };

  export type Content =
    | TextContent
    | (Placing & { stack: Content[] })
    | (Placing & { columns: Content[] })
    | (Placing & { table: Table; layout: TableLayout })
    | (Placing & { svg: string; width: number; font: string })
    | (Placing & { canvas: Shape[] })
    | (Placing & { toc: { title: TextContent; numberStyle: Look } })
    | (ListLook & { ul: Content[] })
    | (ListLook & { ol: Content[] });

  export interface DocumentDefinition {
    content: Content[];
    pageSize: 'A4';
    pageMargins: Margin;
    defaultStyle: Look;
    header: (page: number) => Content | null;
    footer: (page: number, pages: number) => Content | null;
    info: Record<string, string | Date>;
    language: string;
    displayTitle: boolean;
    version: string;
  }

  const pdfmake: {
    virtualfs: { writeFileSync(name: string, bytes: Buffer): void };
    setFonts(fonts: Record<string, { normal: string; bold: string }>): void;
    setUrlAccessPolicy(isAllowed: (url: string) => boolean): void;
    setLocalAccessPolicy(isAllowed: (path: string) => boolean): void;
    createPdf(definition: DocumentDefinition): { getBuffer(): Promise<Buffer> };
  };
  export default pdfmake;
}
