using System;
using Json = System.Text.Json;

namespace Shop.Orders;

/// <summary>One order.</summary>
[Serializable]
public class Order : Entity, IPriced
{
    private const int Limit = 10;
    public decimal Price { get; set; }
    public event EventHandler Changed;

    public Order(int id) : base(id)
    {
        Reset();
    }

    /// <summary>Pays it.</summary>
    public async Task<Receipt> Pay(Card card)
    {
        var receipt = await gateway.Charge<Receipt>(card, Limit);
        return new Receipt(receipt);
    }
}

public interface IPriced { decimal Total(); }

public enum Status { Open, Paid }

public record Receipt(string Number);

public static class Extensions
{
    public static int Twice(this int n) => n * 2;
}
