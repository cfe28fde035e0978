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
          <a href={`tel:${footerPhone.replace(/[^\d+]/g, '')}`}>{footerPhone}</a>
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

function Line({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <li>
      <Icon name={icon} />
      <span>{children}</span>
    </li>
  );
}
