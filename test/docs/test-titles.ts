import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** A title as it is written; of a table (`it.each`) with its placeholders: `%s is allowed to the cap`. */
export interface TestTitle {
  /** The test's own title. */
  readonly own: string;
  /** The title after those of its describe blocks, as jest joins them. */
  readonly joined: string;
}

/** The titles of the tests in a file, without those that are composed at run time. */
export function testTitles(file: string): readonly TestTitle[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true);
  const titles: TestTitle[] = [];
  const visit = (node: ts.Node, above: readonly string[]): void => {
    const block = ts.isCallExpression(node) ? blockOf(node) : null;
    if (block === null) {
      ts.forEachChild(node, (child) => visit(child, above));
      return;
    }
    const path = [...above, block.title];
    if (block.kind === 'test') titles.push({ own: block.title, joined: path.join(' ') });
    else ts.forEachChild(node, (child) => visit(child, path));
  };
  visit(source, []);
  return titles;
}

/**
 * The kind and title of `it('…', …)`, `it.each(…)('…', …)`, and the same of test and describe. Null for others, and for skipped
 * ones, which prove nothing.
 */
function blockOf(call: ts.CallExpression): { readonly kind: 'test' | 'describe'; readonly title: string } | null {
  const [first] = call.arguments;
  if (first === undefined || !ts.isStringLiteralLike(first)) return null;
  const name = ts.isCallExpression(call.expression) ? eachOf(call.expression) : call.expression;
  if (name === null || !ts.isIdentifier(name)) return null;
  if (name.text === 'it' || name.text === 'test') return { kind: 'test', title: first.text };
  return name.text === 'describe' ? { kind: 'describe', title: first.text } : null;
}

function eachOf({ expression }: ts.CallExpression): ts.Expression | null {
  return ts.isPropertyAccessExpression(expression) && expression.name.text === 'each' ? expression.expression : null;
}
