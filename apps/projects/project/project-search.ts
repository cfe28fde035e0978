import type { SelectQueryBuilder } from 'typeorm';
import { containing } from '#libs/database';
import type { ProjectEntity } from './project.entity.js';

/* Conditions that both repositories of lists, the customers' and the staff's, add to their queries. */

/** Selects the projects, called `p`, whose title, package or customer contains the text, or whose number it is (`1042`, `#1042`). */
export function search(selected: SelectQueryBuilder<ProjectEntity>, text: string): void {
  const number = /^#?(\d{1,15})$/.exec(text.trim())?.[1];
  const byNumber = number === undefined ? '' : ' OR p.number = :number';
  selected.andWhere(`(p.searchText LIKE lower(:pattern)${byNumber})`, { pattern: containing(text), number });
}

/** Selects the project of an order. */
export function ofOrder(selected: SelectQueryBuilder<ProjectEntity>, order: string): void {
  selected.andWhere('p.id IN (SELECT o.project_id FROM project_orders o WHERE o.order_id = :order)', {
    order,
  });
}
