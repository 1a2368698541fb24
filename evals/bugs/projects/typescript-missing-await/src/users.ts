export interface User {
  name: string;
  active: boolean;
}

export async function loadUsers(): Promise<User[]> {
  return [
    { name: "Ada", active: true },
    { name: "Grace", active: false },
  ];
}
