import { PageHead } from '../../components/PageHead.js';
import { paragraphs } from '../../lib/paragraphs.js';

interface LegalTextProps {
  heading: string;
  text: string | undefined;
}

export function LegalText({ heading, text }: LegalTextProps) {
  const parts = paragraphs(text);
  return (
    <>
      <PageHead title={heading} />
      <div className="legal wrap">
        {parts.map((part, index) => (
          <p key={index}>{part}</p>
        ))}
        {parts.length === 0 && <p className="empty">There’s no text here yet.</p>}
      </div>
    </>
  );
}
