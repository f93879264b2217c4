import { z } from 'zod';
import { type ContradictionOrder, contradictionSchema, CONTRADICTIONS, isContradiction } from './contradictions';

/**
 * Parses `list_cut:keeps=newest,count=10`: a kind and its fields. It applies to all records and requests unless `times`
 * is given.
 * @throws RangeError that says what was expected
 */
export function parseContradiction(text: string): ContradictionOrder {
  const [kind = '', fields = ''] = text.split(/:(.*)/s);
  if (!isContradiction({ kind })) {
    const known = Object.entries(CONTRADICTIONS).map(([name, meaning]) => `  ${name}: ${meaning}`);
    throw new RangeError([`no such contradiction as ${kind}; expected one of`, ...known].join('\n'));
  }
  const order: Record<string, unknown> = { kind, times: null };
  const match: Record<string, unknown> = {};
  for (const field of fields.split(',').filter((each) => each !== '')) {
    const [name = '', value = ''] = field.split(/=(.*)/s);
    if (MATCHED.includes(name)) match[name] = valueOf(value);
    else order[name] = valueOf(value);
  }
  const parsed = contradictionSchema.safeParse({ ...order, match });
  if (!parsed.success) throw new RangeError(`${text}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

const MATCHED = ['on', 'cycle', 'attempt', 'clientId', 'paymentId'];

/** A number or boolean if it looks like one, else the text. */
function valueOf(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
