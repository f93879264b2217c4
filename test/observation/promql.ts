import { parser } from '@prometheus-io/lezer-promql';

type Tree = ReturnType<typeof parser.parse>;
export type Node = Tree['topNode'];

/** A metric in an expression, with the labels that it must have. */
export interface Selector {
  readonly metric: string;
  readonly labels: readonly string[];
}

export interface Expression {
  /** The root of the syntax tree. */
  readonly root: Node;
  readonly selectors: readonly Selector[];
  /** The labels by which it groups or matches. */
  readonly grouping: readonly string[];
  /** The source of a node. */
  textOf(node: Node): string;
}

/** Functions over a range of time, whose operand is a range. The operand of all others is a vector. */
const OVER_TIME = /^(rate|increase|irate|delta|[a-z]+_over_time)$/;

/**
 * @throws Error with the position if it is not PromQL, or if a function is given a vector instead of a range, or the other way
 * round
 */
export function parsePromql(text: string): Expression {
  const tree = parser.parse(text);
  const textOf = (node: Node) => text.slice(node.from, node.to);
  const selectors: Selector[] = [];
  const grouping: string[] = [];
  tree.iterate({
    enter({ type, from, node }) {
      if (type.isError) throw new Error(`no PromQL from character ${from} on: ${text}`);
      if (type.name === 'VectorSelector') selectors.push(selectorOf(node, textOf));
      if (type.name === 'GroupingLabels') grouping.push(...node.getChildren('LabelName').map(textOf));
      if (type.name === 'FunctionCall') checkOperand(node, textOf);
    },
  });
  const root = tree.topNode.firstChild;
  if (root === null) throw new Error('an expression is missing');
  return { root, selectors, grouping, textOf };
}

function selectorOf(node: Node, textOf: (node: Node) => string): Selector {
  const metric = node.getChild('Identifier');
  if (metric === null) throw new Error(`a selector names no metric: ${textOf(node)}`);
  const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
  return { metric: textOf(metric), labels: matchers.map((each) => textOf(each.getChild('LabelName')!)) };
}

function checkOperand(node: Node, textOf: (node: Node) => string): void {
  const name = textOf(node.getChild('FunctionIdentifier')!);
  const stretches = node.getChild('FunctionCallBody')?.getChildren('MatrixSelector').length ?? 0;
  if (stretches !== (OVER_TIME.test(name) ? 1 : 0))
    throw new Error(`${name} is given no such operand: ${textOf(node)}`);
}
