import { FormattedText } from '../../components/FormattedText.js';
import { PageHead } from '../../components/PageHead.js';
import { parseFormattedText } from '../../lib/formatted-text.js';

interface LegalTextPageProps {
  heading: string;
  text: string | undefined;
}

export function LegalTextPage({ heading, text }: LegalTextPageProps) {
  const blocks = parseFormattedText(text);
  return (
    <>
      <PageHead title={heading} />
      <div className="legal wrap">
        <FormattedText blocks={blocks} />
        {blocks.length === 0 && <p className="empty">There’s no text here yet.</p>}
      </div>
    </>
  );
}
