import type { Words } from './en';

export const DUTCH: Words = {
  greeting: 'Hallo,',
  greetingByName: 'Hallo {{name}},',
  reference: 'Uw referentie: {{reference}}',
  notices: {
    'payment.failed': `Subject: Uw betaling van {{amount}} kon niet worden geïncasseerd

We konden uw betaling van {{amount}}, die op {{dueAt}} verviel, niet incasseren.

Meestal staat er te weinig geld op de rekening, of is een limiet bij uw bank bereikt.

{{#retryAt}}We proberen het naar verwachting op {{retryAt}} opnieuw. Zorg er alstublieft voor dat de betaling kan worden uitgevoerd.{{/retryAt}}
{{^retryAt}}We proberen deze betaling niet opnieuw te incasseren. {{#paymentLink}}U kunt haar hier voldoen: {{paymentLink}}{{/paymentLink}}{{^paymentLink}}Neem alstublieft contact met ons op om haar te voldoen.{{/paymentLink}}{{/retryAt}}`,
    'payment.increase_announced': `Subject: Uw betaling wordt {{amount}}

Vanaf {{dueAt}} is uw betaling {{amount}} in plaats van {{previousAmount}}.

Als u het daar niet mee eens bent, kunt u het abonnement vóór die tijd opzeggen, bij ons of bij uw bank.`,
    'payment.upcoming': `Subject: Uw betaling van {{amount}} vervalt binnenkort

Op {{dueAt}} incasseren we {{amount}} voor uw abonnement.

U hoeft niets te doen. Als u het abonnement niet wilt voortzetten, kunt u het vóór die tijd opzeggen, bij ons of bij uw bank.`,
    'subscription.paused': `Subject: Uw abonnement is gepauzeerd

{{#until}}Uw abonnement is gepauzeerd tot {{until}}.{{/until}}{{^until}}Uw abonnement is tot nader order gepauzeerd.{{/until}}

Wat tijdens de pauze vervalt, incasseren we niet, nu niet en later niet.`,
    'subscription.resumed': `Subject: Uw abonnement loopt weer

De pauze van uw abonnement is voorbij. Betalingen worden weer op de gebruikelijke dagen geïncasseerd.`,
    'subscription.cancelled': `Subject: Uw abonnement is beëindigd

{{#byPayer}}Uw abonnement is beëindigd, omdat de toestemming bij uw bank is ingetrokken.{{/byPayer}}{{^byPayer}}Uw abonnement is beëindigd.{{/byPayer}}

We incasseren niets meer. Een betaling die al bij uw bank was, kan nog worden uitgevoerd.`,
    'subscription.completed': `Subject: Uw abonnement is afgelopen

Uw abonnement heeft het afgesproken einde bereikt. We incasseren niets meer. Dank u wel.`,
  },
};
