/** A text of a service, with what stands between backticks as code. */
export const Ticked = ({ children }: { children: string }) => (
  <>
    {children.split('`').map((part, at) =>
      at % 2 === 1 ? (
        // Pieces of one text keep their order.
        // oxlint-disable-next-line react/no-array-index-key
        <code key={at} className="font-mono text-[0.95em] break-all">
          {part}
        </code>
      ) : (
        part
      ),
    )}
  </>
);
