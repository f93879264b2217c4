/** The payers of `npm run monday`: a number always gives the same payer. */

const FIRST = ['Marta', 'Jonas', 'Aïcha', 'Pieter', 'Chloé', 'Luca', 'Ingrid', 'Tomás', 'Eva', 'Noah', 'Sofia', 'Emil'];
const LAST = ['Lindqvist', 'Weber', 'Benali', 'de Vries', 'Moreau', 'Conti', 'Hansen', 'Silva', 'Novák', 'Peeters'];
const FIRMS = ['Fitnessstudio Nord GmbH', 'Boulangerie Petit', 'Van Dam Verhuur B.V.', 'Yoga Loft Lyon SARL'];
const CENTS = [1_999, 4_900, 750, 12_000, 2_450, 29_900, 999];

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly cents: number;
  readonly country: string;
}

/** Every ninth is a firm. */
export function personAt(number: number): Person {
  const name =
    number % 9 === 8
      ? `${pick(FIRMS, Math.floor(number / 9))} ${number}`
      : `${pick(FIRST, number)} ${pick(LAST, Math.floor(number / FIRST.length))}`;
  return {
    name,
    email: `payer-${number}@mail.example`,
    cents: pick(CENTS, number),
    country: pick(['DE', 'FR', 'NL', 'BE'], number),
  };
}

function pick<T>(from: readonly T[], at: number): T {
  const found = from[at % from.length];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}
