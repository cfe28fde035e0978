import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import type { InvoiceDocument } from '#libs/contracts';
import { fontFiles, InvoicePage } from './invoice-page.js';
import { titleOf } from './invoice-wording.js';

/** In points. */
const paperSizes = { A4: [595.28, 841.89], Letter: [612, 792] } as const satisfies Record<
  InvoiceDocument['paper'],
  [number, number]
>;

/** Scales of the text below the header. The largest at which everything fits on one page is used, or else the smallest. */
const scales = [1, 0.92, 0.84, 0.76, 0.68, 0.6, 0.5];

/** A PDF/A-3 file of one page that contains the e-invoice (Factur-X). The same document, XML and logo (PNG or JPEG) give the same bytes. */
export async function pdfOf(document: InvoiceDocument, xml: string, logo?: Uint8Array): Promise<Buffer> {
  const pdf = fittingPdf(document, logo && Buffer.from(logo));
  const issued = dateOf(document);
  pdf.file(Buffer.from(xml), {
    name: 'factur-x.xml',
    type: 'text/xml',
    description: 'The same document as an e-invoice (Factur-X, EN 16931)',
    creationDate: issued,
    modifiedDate: issued,
    // @ts-expect-error The types lack this option, which PDF/A-3 requires.
    relationship: 'Alternative',
  });
  pdf.appendXML(facturXMetadata);
  const file = buffer(pdf);
  pdf.end();
  return file;
}

function fittingPdf(document: InvoiceDocument, logo: Buffer | undefined): PDFKit.PDFDocument {
  for (const scale of scales) {
    const pdf = emptyPdf(document);
    const fits = new InvoicePage(pdf, document, { bodyScale: scale, logo }).draw();
    if (fits || scale === scales.at(-1)) return pdf;
  }
  throw new Error('There is no scale.');
}

function emptyPdf(document: InvoiceDocument): PDFKit.PDFDocument {
  return new PDFDocument({
    size: [...paperSizes[document.paper]],
    margin: 0,
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    lang: 'en',
    displayTitle: true,
    // Otherwise, the library begins with a standard font that it does not embed, which PDF/A forbids.
    font: fontFiles.text,
    // The library does not escape the title for XML. A document's number needs no escaping.
    info: { Title: `${titleOf(document)} ${document.number}`, CreationDate: dateOf(document) },
  });
}

const dateOf = ({ issuedOn }: InvoiceDocument) => new Date(`${issuedOn}T00:00:00Z`);

const facturXNamespace = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';

const schemaProperty = (name: string, description: string) => `
                <rdf:li rdf:parseType="Resource">
                  <pdfaProperty:name>${name}</pdfaProperty:name>
                  <pdfaProperty:valueType>Text</pdfaProperty:valueType>
                  <pdfaProperty:category>external</pdfaProperty:category>
                  <pdfaProperty:description>${description}</pdfaProperty:description>
                </rdf:li>`;

/** The metadata (XMP) by which programs find the e-invoice. PDF/A requires the second part, which describes the properties of the first. */
const facturXMetadata = `
        <rdf:Description rdf:about="" xmlns:fx="${facturXNamespace}">
          <fx:DocumentType>INVOICE</fx:DocumentType>
          <fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>
          <fx:Version>1.0</fx:Version>
          <fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>
        </rdf:Description>
        <rdf:Description rdf:about=""
          xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
          xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"
          xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
          <pdfaExtension:schemas>
            <rdf:Bag>
              <rdf:li rdf:parseType="Resource">
                <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
                <pdfaSchema:namespaceURI>${facturXNamespace}</pdfaSchema:namespaceURI>
                <pdfaSchema:prefix>fx</pdfaSchema:prefix>
                <pdfaSchema:property>
                  <rdf:Seq>${[
                    schemaProperty('DocumentFileName', 'The name of the embedded XML document'),
                    schemaProperty('DocumentType', 'The type of the hybrid document in capital letters'),
                    schemaProperty('Version', 'The version of the standard of the embedded XML document'),
                    schemaProperty('ConformanceLevel', 'The conformance level of the embedded XML document'),
                  ].join('')}
                  </rdf:Seq>
                </pdfaSchema:property>
              </rdf:li>
            </rdf:Bag>
          </pdfaExtension:schemas>
        </rdf:Description>`;
