import './admin-invoices.css';
import { Link } from 'react-router-dom';

const sentences = [
  'Enter your name, address and tax number as your invoices must show them, and see an example beside the form.',
  'Choose whether you charge no tax, include it in your prices, or add it when a customer orders; your tax adviser can tell you which.',
  'From the moment you save, every payment gets an invoice with the next number, and every refund a credit note; earlier payments get none.',
  'An issued document never changes: you correct a mistake with a credit note and a new invoice.',
  'Customers download their PDFs, which contain an e-invoice (Factur-X), and you download a whole month for your accountant.',
];

export function InvoiceIntroduction() {
  return (
    <section className="panel" aria-labelledby="invoice-introduction">
      <h2 id="invoice-introduction">You don’t issue invoices yet</h2>
      <ol className="invoice-introduction">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ol>
      <p className="buttons">
        <Link className="button" to="/admin/invoice-settings">
          Set up invoices
        </Link>
      </p>
    </section>
  );
}
