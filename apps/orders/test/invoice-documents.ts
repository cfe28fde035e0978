import type { InvoiceDocument } from '#libs/contracts';

const seller: InvoiceDocument['seller'] = {
  name: 'Rankwerk Search GmbH',
  addressLine1: 'Torstraße 49',
  addressLine2: '',
  postalCode: '10119',
  city: 'Berlin',
  countryCode: 'DE',
  email: 'billing@rankwerk.example',
  taxNumber: '37/123/45678',
  vatId: 'DE123456788',
  register: 'HRB 123456 B, Amtsgericht Charlottenburg',
  bankAccount: 'IBAN DE02 1203 0000 0000 2020 51 · BIC BYLADEM1001',
};

const buyer: InvoiceDocument['buyer'] = {
  name: 'Lena Hoffmann',
  company: 'Hoffmann & Töchter OHG',
  email: 'lena@hoffmann.example',
  addressLine1: 'Lange Straße 12',
  addressLine2: '',
  postalCode: '70173',
  city: 'Stuttgart',
  countryCode: 'DE',
  vatId: '',
};

/** A domestic sale at the standard rate. */
export const domestic: InvoiceDocument = {
  number: 'INV-2026-00042',
  kind: 'invoice',
  cause: 'payment',
  issuedOn: '2026-11-21',
  currency: 'USD',
  logo: null,
  site: 'Rankwerk',
  paper: 'A4',
  seller,
  buyer,
  order: { number: 1042, placedOn: '2026-11-20' },
  item: { name: 'Business', period: { from: '2026-11-21', to: '2026-12-20' } },
  tax: { category: 'S', rate: '19', reason: null, reasonCode: null },
  netCents: 24_370,
  taxCents: 4_630,
  grossCents: 29_000,
  accounting: null,
  payment: { method: 'PayPal', reference: '8AB12345CD678901E', on: '2026-11-21' },
  cites: null,
};

const austrian = {
  ...buyer,
  company: '',
  name: 'Jakob Gruber',
  city: 'Wien',
  postalCode: '1070',
  countryCode: 'AT',
};
const cites = { number: 'INV-2026-00042', issuedOn: '2026-11-21' };
const longName =
  'Vierteljährliche Rundum-Betreuung für Suchmaschinenoptimierung, Inhalte und Verlinkung '.repeat(3);

/** The keys say what is special about each document. */
export const invoiceDocuments: Readonly<Record<string, InvoiceDocument>> = {
  domestic,
  'a consumer in another EU country': {
    ...domestic,
    number: 'INV-2026-00043',
    buyer: austrian,
    tax: { ...domestic.tax, rate: '20' },
    ...{ netCents: 24_167, taxCents: 4_833 },
  },
  'reverse charge': {
    ...domestic,
    number: 'INV-2026-00044',
    buyer: {
      ...buyer,
      ...{ name: 'Camille Laurent', company: 'Laurent Conseil SARL', email: 'camille@laurent.example' },
      ...{ addressLine1: '18 rue de Turenne', postalCode: '75004', city: 'Paris', countryCode: 'FR' },
      vatId: 'FR40303265045',
    },
    tax: {
      category: 'AE',
      rate: '0',
      reason: 'Reverse charge: the customer is liable for the tax (Article 196 of Directive 2006/112/EC).',
      reasonCode: 'VATEX-EU-AE',
    },
    ...{ netCents: 29_000, taxCents: 0 },
  },
  'outside the EU': {
    ...domestic,
    number: 'INV-2026-00045',
    paper: 'Letter',
    buyer: {
      ...buyer,
      ...{ name: 'Dana Whitfield', company: '', email: 'dana@whitfield.example', vatId: '' },
      ...{ addressLine1: '2120 Pearl Street', addressLine2: 'Suite 4', postalCode: '80302' },
      ...{ city: 'Boulder, CO', countryCode: 'US' },
    },
    tax: {
      category: 'O',
      rate: '0',
      reason: 'Not subject to tax in the seller’s country: the customer is established outside the EU.',
      reasonCode: 'VATEX-EU-O',
    },
    ...{ netCents: 29_000, taxCents: 0 },
  },
  exempt: {
    ...domestic,
    number: 'INV-2026-00046',
    seller: { ...seller, vatId: '', register: '' },
    tax: {
      category: 'E',
      rate: '0',
      reason: 'No VAT is charged: small business under section 19 of the German VAT Act (UStG).',
      reasonCode: null,
    },
    ...{ netCents: 29_000, taxCents: 0 },
  },
  'a seller with only a name and an address': {
    ...domestic,
    number: 'INV-2026-00047',
    seller: { ...seller, vatId: '', register: '', taxNumber: '', bankAccount: '', email: '' },
    tax: { category: 'O', rate: '0', reason: 'No tax is charged.', reasonCode: null },
    ...{ netCents: 29_000, taxCents: 0 },
  },
  'a rate of zero': {
    ...domestic,
    number: 'INV-2026-00048',
    tax: { category: 'Z', rate: '0', reason: null, reasonCode: null },
    ...{ netCents: 29_000, taxCents: 0 },
  },
  'a partial refund': {
    ...domestic,
    number: 'CN-2026-00007',
    kind: 'credit_note',
    cause: 'refund',
    issuedOn: '2026-11-25',
    ...{ netCents: 8_403, taxCents: 1_597, grossCents: 10_000, cites },
    payment: { method: 'PayPal', reference: '5XY12345CD678901F', on: '2026-11-25' },
  },
  'a credit note for the whole invoice': {
    ...domestic,
    number: 'CN-2026-00008',
    kind: 'credit_note',
    cause: 'dispute',
    issuedOn: '2026-11-26',
    cites,
    payment: null,
  },
  'the new invoice of a correction': {
    ...domestic,
    number: 'INV-2026-00049',
    cause: 'correction',
    payment: null,
    cites,
  },
  'an accounting currency': {
    ...domestic,
    number: 'INV-2026-00050',
    buyer: { ...buyer, company: 'Hiirenloukku Oy', city: 'Helsinki', postalCode: '00100', countryCode: 'FI' },
    tax: { ...domestic.tax, rate: '25.5' },
    ...{ netCents: 23_108, taxCents: 5_892 },
    accounting: { currency: 'EUR', rate: '0.9215', taxCents: 5_429 },
  },
  'long names': {
    ...domestic,
    number: 'INV-2026-00051',
    seller: {
      ...seller,
      name: 'Gesellschaft für nachhaltige Suchmaschinenoptimierung und digitale Sichtbarkeit im Mittelstand mbH & Co. KG',
      addressLine1: 'Alexander-von-Humboldt-Allee 112–118, Hinterhaus, Aufgang C, drittes Obergeschoss links',
      addressLine2: 'Postfach 4711',
      city: 'Hinterweidenthal an der Wieslauter bei Kaiserslautern',
    },
    buyer: {
      ...buyer,
      name: 'Dr. Maximiliane Freifrau von Hohenstein-Wartenberg zu Lichtenau',
      company:
        'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz-Beratungsgesellschaft für Verbraucherschutz und Lebensmittelkennzeichnung mbH',
      addressLine1:
        'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsstraße 1234',
      addressLine2:
        'z. Hd. der Abteilung für Öffentlichkeitsarbeit, Gebäude 17, Treppenhaus West, Raum 4.118',
      city: 'Mühlhausen im Täle an der Schwäbischen Alb',
    },
    item: { ...domestic.item, name: longName.trim() },
  },
  'Greek and Cyrillic names': {
    ...domestic,
    number: 'INV-2026-00052',
    buyer: {
      ...buyer,
      ...{
        name: 'Ελένη Παπαδοπούλου',
        company: 'Παπαδοπούλου & ΣΙΑ Ο.Ε.',
        email: 'eleni@papadopoulou.example',
      },
      ...{ addressLine1: 'Οδός Ερμού 25', addressLine2: 'c/o Димитър Иванов, Łódź', postalCode: '105 63' },
      ...{ city: 'Αθήνα', countryCode: 'GR', vatId: 'EL123456783' },
    },
    tax: { ...domestic.tax, rate: '24' },
    ...{ netCents: 23_387, taxCents: 5_613 },
  },
  'hostile text': {
    ...domestic,
    number: 'INV-2026-00053',
    site: '</rdf:RDF> & "Site"',
    seller: { ...seller, name: `Söhne & <script>alert("1")</script> 'Co'` },
    buyer: { ...buyer, company: ']]> <!-- &amp; \u0007\u{1F680}\uFFFE', name: '<ram:ID>7</ram:ID>' },
    item: { name: '"Best" <b>SEO</b> & more \u{1F4C8} \u202Egnp', period: null },
  },
};
