import type { ReactNode } from 'react';
import type { ShownRecord } from '../lib/site.js';
import { Icon, type IconName } from './Icon.js';

export function ContactLines({ address }: { address: ShownRecord<'footerAddress'> }) {
  const { footeraddress, footerPhone, footerEmail } = address;
  return (
    <ul className="contact-lines">
      {footeraddress && <Line icon="map">{footeraddress}</Line>}
      {footerPhone && (
        <Line icon="phone">
          <a href={telephoneLink(footerPhone)}>{footerPhone}</a>
        </Line>
      )}
      {footerEmail && (
        <Line icon="mail">
          <a href={`mailto:${footerEmail}`}>{footerEmail}</a>
        </Line>
      )}
    </ul>
  );
}

/** In ‘+49 (0)30 901820’, the zero is only for calls within the country. */
const telephoneLink = (phone: string) =>
  `tel:${phone.replace(/^(\s*\+.*)\(0\)/, '$1').replace(/[^\d+]/g, '')}`;

function Line({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <li>
      <Icon name={icon} />
      <span>{children}</span>
    </li>
  );
}
