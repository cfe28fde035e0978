import { FormattedText } from '../../components/FormattedText.js';
import { PageHead } from '../../components/PageHead.js';
import { formattedText } from '../../lib/formatted-text.js';

interface LegalTextProps {
  heading: string;
  text: string | undefined;
}

export function LegalText({ heading, text }: LegalTextProps) {
  const blocks = formattedText(text);
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
