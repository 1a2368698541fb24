import { ApiClient } from "./client";

export interface CartItem {
  sku: string;
  quantity: number;
  unitCents: number;
}

const FREE_SHIPPING_CENTS = 5000;
const SHIPPING_CENTS = 490;

export class Cart {
  private items = new Map<string, CartItem>();

  constructor(private readonly api: ApiClient) {}

  add(item: CartItem): void {
    const known = this.items.get(item.sku);
    const quantity = (known?.quantity ?? 0) + item.quantity;
    this.items.set(item.sku, { ...item, quantity });
  }

  subtotalCents(): number {
    return [...this.items.values()].reduce((sum, item) => sum + item.quantity * item.unitCents, 0);
  }

  shippingCents(): number {
    return this.subtotalCents() >= FREE_SHIPPING_CENTS ? 0 : SHIPPING_CENTS;
  }

  async checkout(): Promise<string> {
    const { orderId } = await this.api.request<{ orderId: string }>("POST", "/v1/orders", [...this.items.values()]);
    this.items.clear();
    return orderId;
  }
}
