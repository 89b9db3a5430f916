/** What Java's files know without an import. */
export const ofEveryFile: ReadonlySet<string> = new Set(
  'String Object Integer Long Double Float Boolean Character Byte Short Number Void Iterable Comparable CharSequence Enum Record Class Throwable Exception RuntimeException Override Deprecated FunctionalInterface SuppressWarnings SafeVarargs'.split(
    ' ',
  ),
);
