import { z } from 'zod';
import { COUNTRIES } from './countries';
import { Email, line } from './text';

/** A postal address. All its fields are needed, the e-mail aside. */
export const AddressIn = z
  .strictObject({
    name: line(120),
    street: line(120),
    postalCode: line(16),
    city: line(120),
    country: z.string().refine((code) => COUNTRIES.has(code), 'an ISO 3166 country code of two upper-case letters'),
    email: Email.optional(),
  })
  .meta({ id: 'Address' });
