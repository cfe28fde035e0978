import { Fragment } from 'react';
import type { TextBlock, TextPiece } from '../lib/formatted-text.js';
import { addressKind } from '../lib/address.js';
import { ContentLink } from './ContentLink.js';

/** Headings start at the second level, because the page has its own `<h1>`. */
export function FormattedText({ blocks }: { blocks: readonly TextBlock[] }) {
  return blocks.map((block, index) => <Block key={index} {...block} />);
}

function Block({ kind, lines, start }: TextBlock) {
  if (kind === 'list' || kind === 'numbered-list') {
    const List = kind === 'list' ? 'ul' : 'ol';
    return (
      <List {...(start !== undefined && { start })}>
        {lines.map((pieces, index) => (
          <li key={index}>
            <Pieces pieces={pieces} />
          </li>
        ))}
      </List>
    );
  }
  const Tag = kind === 'heading' ? 'h2' : kind === 'subheading' ? 'h3' : 'p';
  return (
    <Tag>
      {lines.map((pieces, index) => (
        <Fragment key={index}>
          {index > 0 && <br />}
          <Pieces pieces={pieces} />
        </Fragment>
      ))}
    </Tag>
  );
}

function Pieces({ pieces }: { pieces: readonly TextPiece[] }) {
  return pieces.map(({ text, style, address }, index) => {
    const Tag = style ?? Fragment;
    // A link to an address that is not allowed stays text.
    return addressKind(address) ? (
      <ContentLink key={index} address={address}>
        {text}
      </ContentLink>
    ) : (
      <Tag key={index}>{text}</Tag>
    );
  });
}
