class Animal:
    sound = "?"
    def __init__(self, name):
        self.name = name
    def speak(self):
        return f"{self.name}: {self.sound}"
    def __repr__(self):
        return f"<{self.name}>"
    def __eq__(self, other):
        return self.name == other.name
    def __len__(self):
        return len(self.name)
class Dog(Animal):
    sound = "woof"
    def speak(self):
        return super().speak() + "!"
d = Dog("rex")
print(d.speak(), d, [d], d == Dog("rex"), len(d), isinstance(d, Animal))
d.sound = "wif"
print(d.speak(), Dog.sound, Dog.__name__, hasattr(d, "tail"))
# expect: rex: woof! <rex> [<rex>] True 3 True
# expect: rex: wif! woof Dog False
