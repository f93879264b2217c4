import { EVENT_EXAMPLES } from './events';
import { PAYMENT_EXAMPLES } from './payments';
import { OPERATIONS_EXAMPLES } from './operations';
import { REPORT_EXAMPLES } from './reports';
import type { Example, Examples } from './story';
import { SUBSCRIPTION_EXAMPLES } from './subscriptions';

/** Requests and responses by operation. A test validates each against its schema, and finds operations without examples. */
export const EXAMPLES: Examples = {
  ...SUBSCRIPTION_EXAMPLES,
  ...PAYMENT_EXAMPLES,
  ...REPORT_EXAMPLES,
  ...EVENT_EXAMPLES,
  ...OPERATIONS_EXAMPLES,
};

type Content = Readonly<Record<string, { example?: unknown }>>;

/** The parts of an OpenAPI operation that examples go to. */
interface OperationWithExamples {
  readonly operationId: string;
  readonly requestBody?: { readonly content?: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** Adds the examples of each operation to the OpenAPI description. */
export function withExamples<Description extends object>(description: Description): Description {
  const { paths = {} } = description as {
    readonly paths?: Readonly<Record<string, Record<string, OperationWithExamples>>>;
  };
  Object.values(paths)
    .flatMap(Object.values<OperationWithExamples>)
    .forEach(addExamples);
  return description;
}

function addExamples({ operationId, requestBody, responses }: OperationWithExamples): void {
  const example: Example = EXAMPLES[operationId] ?? {};
  addTo(requestBody?.content, (type) => (type === 'text/csv' ? example.csvRequest : example.request));
  for (const [status, { content }] of Object.entries(responses))
    addTo(content, (type) => example[type as keyof Example] ?? example[Number(status) as keyof Example]);
}

function addTo(content: Content = {}, exampleOf: (type: string) => unknown): void {
  for (const [type, described] of Object.entries(content)) {
    const example = exampleOf(type);
    if (example !== undefined) described.example = example;
  }
}
