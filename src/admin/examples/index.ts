import { EVENT_EXAMPLES } from './events';
import { PAYMENT_EXAMPLES } from './payments';
import { PEOPLE_EXAMPLES } from './people';
import { REPORT_EXAMPLES } from './reports';
import type { Example, Examples } from './story';
import { SUBSCRIPTION_EXAMPLES } from './subscriptions';

/** What is sent and answered, by operation. A test holds each against its schema, and finds an operation that has none. */
export const EXAMPLES: Examples = {
  ...SUBSCRIPTION_EXAMPLES,
  ...PAYMENT_EXAMPLES,
  ...REPORT_EXAMPLES,
  ...EVENT_EXAMPLES,
  ...PEOPLE_EXAMPLES,
};

type Content = Readonly<Record<string, { example?: unknown }>>;

/** The parts of an OpenAPI operation that examples go to. */
interface Exemplified {
  readonly operationId: string;
  readonly requestBody?: { readonly content?: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** The OpenAPI description with the examples of each operation in it. */
export function withExamples<Description extends object>(description: Description): Description {
  const { paths = {} } = description as { readonly paths?: Readonly<Record<string, Record<string, Exemplified>>> };
  Object.values(paths)
    .flatMap(Object.values<Exemplified>)
    .forEach(exemplify);
  return description;
}

function exemplify({ operationId, requestBody, responses }: Exemplified): void {
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
