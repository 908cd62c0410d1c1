/** What stands beside a lead's conversation. */
export function LeadPanel({ leadId }: { leadId: string }) {
  return <div data-lead={leadId} />;
}
