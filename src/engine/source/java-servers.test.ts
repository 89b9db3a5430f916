import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyseProject } from './analyse-project.ts';

const foundIn = async (...texts: string[]) => {
  const files = texts.map((text) => {
    const [, name = ''] = /\b(?:class|interface) (\w+)/.exec(text) ?? [];
    return { path: `src/main/java/${name}.java`, text };
  });
  const { observations } = await analyseProject(files);
  return observations
    .filter(({ severity }) => severity !== 'info' && severity !== 'low')
    .map(({ rule, location }) => `${rule}:${location?.startLine}`);
};

test('tools that one helper registers are followed, each with its own function', async () => {
  const found = await foundIn(`import io.modelcontextprotocol.spec.McpSchema.Tool;
class Desk {
  interface Action { String perform(Map<String, Object> given) throws Exception; }
  static SyncToolSpecification of(String name, Action action) {
    return new SyncToolSpecification(new Tool(name, "x", "{}"), (exchange, given) -> answer(action.perform(given)));
  }
  public static void main(String[] args) {
    server.addTool(of("one", given -> Files.readString(Path.of((String) given.get("a")))));
    server.addTool(of("two", given -> Runtime.getRuntime().exec("id " + given.get("b")).toString()));
  }
}`);
  assert.deepEqual(found.toSorted(), ['command-injection:9', 'path-traversal:8']);
});

test('a function that Spring AI makes a tool of, a request of a server of Java and an interface with routes are entrances', async () => {
  const found = await foundIn(
    `class Tools {
  record Asked(String host) {}
  @Bean ToolCallback look() {
    return FunctionToolCallback.builder("look", (Asked asked) -> Runtime.getRuntime().exec("dig " + asked.host())).build();
  }
}`,
    `class Pages implements HttpHandler {
  public void handle(HttpExchange exchange) throws IOException {
    send(exchange, Path.of("/srv/pages/index.html"));
    Files.readString(Path.of("/srv/pages" + exchange.getRequestURI().getPath()));
  }
  private void send(HttpExchange exchange, Path page) throws IOException {
    exchange.getResponseBody().write(Files.readAllBytes(page));
  }
}`,
    `interface Reports { @GetMapping("/report") String report(@RequestParam String name); }
class StoredReports implements Reports {
  public String report(String name) { return Files.readString(Path.of(name)); }
}`,
  );
  assert.deepEqual(found.toSorted(), ['command-injection:4', 'path-traversal:3', 'path-traversal:4']);
});

test('fields that are named alone, and parts of records, keep what was put into them', async () => {
  const found = await foundIn(`class Orders {
  static class Filter {
    private final StringBuilder text = new StringBuilder("1 = 1");
    Filter named(String name) { text.append(" AND name = '").append(name).append("'"); return this; }
    String sql() { return text.toString(); }
  }
  record Page(String order, int size) {
    Page { if (!Set.of("name", "total").contains(order)) throw new IllegalArgumentException(); }
  }
  private final JdbcTemplate jdbcTemplate;
  @Tool(description = "orders")
  public Object orders(String name) {
    return jdbcTemplate.queryForList("SELECT * FROM orders WHERE " + new Filter().named(name).sql());
  }
  @Tool(description = "pages")
  public Object pages(Page page) {
    return jdbcTemplate.queryForList("SELECT * FROM orders ORDER BY " + page.order() + " LIMIT " + page.size());
  }
}`);
  assert.deepEqual(found, ['sql-injection:13']);
});

test('parsers of Java are judged by the settings that were made of them', async () => {
  const found = await foundIn(`class Papers {
  private static DocumentBuilderFactory open() { return DocumentBuilderFactory.newInstance(); }
  private static void close(DocumentBuilderFactory made) throws Exception {
    made.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
  }
  @Tool(description = "open")
  public Object first(String xml) throws Exception { return open().newDocumentBuilder().parse(source(xml)); }
  @Tool(description = "closed")
  public Object second(String xml) throws Exception {
    DocumentBuilderFactory made = open();
    close(made);
    return made.newDocumentBuilder().parse(source(xml));
  }
  @Tool(description = "named")
  public Object third(String json) throws Exception {
    ObjectMapper reader = new ObjectMapper();
    reader.enableDefaultTyping();
    return reader.readValue(json, Object.class);
  }
  @Tool(description = "allowed")
  public Object fourth(String xml) throws Exception {
    XStream reader = new XStream();
    reader.allowTypes(new Class[] { Paper.class });
    return reader.fromXML(xml);
  }
}`);
  assert.deepEqual(found.toSorted(), ['unsafe-deserialization:18', 'xml-external-entity:7']);
});

test('a path of Java is safe where its parts are compared once it is short', async () => {
  const found = await foundIn(`class Shelf {
  private static final Path ROOT = Path.of("/srv/shelf");
  @Tool(description = "parts")
  public String parts(String name) {
    Path path = ROOT.resolve(name).normalize();
    if (!path.startsWith(ROOT)) throw new SecurityException();
    return Files.readString(path);
  }
  @Tool(description = "letters")
  public String letters(String name) {
    Path path = ROOT.resolve(name).normalize();
    if (!path.toString().startsWith(ROOT.toString())) throw new SecurityException();
    return Files.readString(path);
  }
  @Tool(description = "long")
  public String unshortened(String name) {
    Path path = ROOT.resolve(name).toAbsolutePath();
    if (!path.startsWith(ROOT)) throw new SecurityException();
    return Files.readAllLines(path).get(0);
  }
  @Tool(description = "denied")
  public String denied(String name) {
    if (name.contains("..") || name.contains("/")) throw new SecurityException();
    return Files.readString(ROOT.resolve(name));
  }
}`);
  assert.deepEqual(found.toSorted(), ['path-traversal:13', 'path-traversal:19']);
});

test('statements of MyBatis, checks of static imports and methods by reference are understood', async () => {
  const found = await foundIn(
    `package desk;
import static desk.Checks.inside;
class Tools {
  private final Rows rows;
  private static final Set<String> KNOWN = Set.of("a", "b");
  @Tool(description = "sorted") public Object sorted(String column) { return rows.by(column); }
  @Tool(description = "one") public Object one(String name) { return rows.one(name); }
  @Tool(description = "read") public Object read(String name) { return Files.readString(inside(name)); }
  @Tool(description = "run") public Object run(String name) {
    String known = Optional.of(name).filter(KNOWN::contains).orElseThrow();
    return Runtime.getRuntime().exec("git " + known);
  }
}`,
    `package desk;
interface Rows {
  @Select("SELECT * FROM rows ORDER BY \${column}") Object by(String column);
  @Select("SELECT * FROM rows WHERE name = #{name}") Object one(String name);
}`,
    `package desk;
class Checks {
  static Path inside(String name) {
    Path path = Path.of("/srv").resolve(name).normalize();
    if (!path.startsWith(Path.of("/srv"))) throw new SecurityException();
    return path;
  }
}`,
  );
  assert.deepEqual(found, ['sql-injection:3']);
});
